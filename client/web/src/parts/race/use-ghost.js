import { isSameDeal, knownDeal } from '../../browser/ghost-choice.js'
import { useLoaded, useSite } from '../hooks.js'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** The name of the ghost in a room, if any. @param {View | null} view */
export function useGhostName(view) {
  const { route, ghosts } = useSite()
  return view && knownDeal(view) ? ghosts.at(view.code, route.hash.value) : null
}

/** The progress of the ghost, after its record is loaded. @param {View} view */
export function useGhost(view) {
  const { get } = useSite()
  const name = useGhostName(view)
  const deal = knownDeal(view) ?? ''
  return useLoaded(async () => {
    if (!name) return null
    const modules = Promise.all([import('../../net/load-record.js'), import('../../model/replay/ghost.js')])
    const [{ loadRecord }, { ghostOf }] = await modules
    const record = await loadRecord(name.code, name.race, get)
    return isSameDeal(record, deal) ? ghostOf(record, name.seat) : null
  }, [name && `${name.code}/${name.race}/${name.seat}`, deal])
}
