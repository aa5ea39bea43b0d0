import { useMemo } from 'preact/hooks'
import { tournamentCommands } from '../net/tournament-commands.js'
import { useSite } from '../parts/hooks.js'

/** What entrants and hosts may do in a tournament. */
export function useCommands() {
  const { session } = useSite()
  return useMemo(() => tournamentCommands(session), [session])
}
