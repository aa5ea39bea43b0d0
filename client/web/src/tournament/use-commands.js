import { useMemo } from 'preact/hooks'
import { tournamentCommands } from '../net/tournament-commands.js'
import { useSite } from '../parts/hooks.js'

/** The commands of entrants and hosts in a tournament. */
export function useCommands() {
  const { session } = useSite()
  return useMemo(() => tournamentCommands(session), [session])
}
