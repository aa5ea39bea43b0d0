import { useEffect, useState } from 'preact/hooks'
import { isSameDeal, knownDeal } from '../../browser/ghost-choice.js'
import { useSite } from '../hooks.js'

/**
 * @import { View } from '../../protocol/protocol.d.ts'
 * @import { Ghost } from '../../model/replay/ghost.js'
 */

/** The name of the ghost in a room, if any. @param {View | null} view */
export function useGhostName(view) {
  const { route, ghosts } = useSite()
  return view && knownDeal(view) ? ghosts.at(view.code, route.hash.value) : null
}

/** The ghost, after its record is loaded. @param {View} view @returns {Ghost | null} */
export function useGhost(view) {
  const { get } = useSite()
  const name = useGhostName(view)
  const deal = knownDeal(view) ?? ''
  const [ghost, setGhost] = useState(/** @type {Ghost | null} */ (null))
  useEffect(() => {
    setGhost(null)
    if (!name) return
    let alive = true
    const { code, race, seat } = name
    Promise.all([import('../../net/load-record.js'), import('../../model/replay/ghost.js')])
      .then(async ([{ loadRecord }, { ghostOf }]) => {
        const record = await loadRecord(code, race, get)
        if (alive && isSameDeal(record, deal)) setGhost(ghostOf(record, seat))
      })
      .catch(() => {}) // the race works without a ghost
    return () => {
      alive = false
    }
  }, [name && `${name.code}/${name.race}/${name.seat}`, deal])
  return ghost
}
