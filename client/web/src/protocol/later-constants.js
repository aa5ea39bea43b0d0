// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the rules of the server.
// Change those and repeat the command.

export const RACE_SHOWN = 7_200_000
export const CARRIED_FOR = 600_000
