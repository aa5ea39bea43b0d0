import { useEffect, useState } from 'preact/hooks'
import { isSameDeal, knownDeal } from '../browser/ghost-choice.js'
import { useSite } from './hooks.js'

/** @typedef {import('../model/replay/ghost.js').Ghost} Ghost */

/** The name of the ghost in a room, if there is one. @param {import('../model/room-view.js').View | null} view */
export function useGhostName(view) {
  const { route, ghosts } = useSite()
  return view && knownDeal(view) ? ghosts.at(view.code, route.hash.value) : null
}

/** The ghost itself, as soon as its record has come. @param {import('../model/room-view.js').View} view @returns {Ghost | null} */
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
    Promise.all([import('../net/load-record.js'), import('../model/replay/ghost.js')])
      .then(async ([{ loadRecord }, { ghostOf }]) => {
        const record = await loadRecord(code, race, get)
        if (alive && isSameDeal(record, deal)) setGhost(ghostOf(record, seat))
      })
      .catch(() => {}) // the race goes on without a ghost
    return () => {
      alive = false
    }
  }, [name && `${name.code}/${name.race}/${name.seat}`, deal])
  return ghost
}
