// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the rules of the server.
// Change those and repeat the command.

export const VERSION = 1
export const TAKEN_OVER = 4_001
export const KICKED = 4_002
export const ROOM_GONE = 4_004
export const SIGNS = /** @type {const} */ (['clap', 'wow', 'heart', 'fire', 'laugh', 'sad'])
export const CARDS = 104
export const LOWEST_NUMBER = 32_001
export const HIGHEST_NUMBER = 100_000_000_000_000_000_000n
export const WINNABLE_DEALS = 16
export const GIVE_UP_AFTER = 5_000
export const TAKE_BACK_WITHIN = 10_000
export const ABSENT_AFTER = 60_000
export const IDLE_AFTER = 90_000
export const HIGHEST_SEAT = 100_000
export const RECORD_SIZE = 16_000_000
export const SOLVER_WIDTHS = /** @type {const} */ ([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024])
export const NAME_LENGTH = 24
export const PICTURES = 49
export const COLOURS = 8
