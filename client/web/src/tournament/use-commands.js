import { useMemo } from 'preact/hooks'
import { tournamentCommands } from '../net/tournament-commands.js'
import { useAction, useSite } from '../parts/hooks.js'

/** @typedef {ReturnType<typeof tournamentCommands>} Commands */

/** The commands of entrants and hosts in a tournament. */
export function useCommands() {
  const { session } = useSite()
  return useMemo(() => tournamentCommands(session), [session])
}

/** One of the commands as an action. @template {keyof Commands} K @param {K} name @returns {ReturnType<typeof useAction<Parameters<Commands[K]>>>} */
export const useCommand = (name) => useAction(/** @type {(...args: any[]) => Promise<unknown>} */ (useCommands()[name]))
