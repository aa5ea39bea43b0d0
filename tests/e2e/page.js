/** Added to every tested page: the visible state of a card table. */

// The message of the policy does not always reach the console; the event does.
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error(`forbidden by policy: ${violatedDirective} ${blockedURI}`),
)

globalThis.seen = {
  /** @param {string} name its name in the table, such as `column-3` */
  pile: (name) => document.querySelector(`[data-pile="${name}"]`),

  /** All visible cards, the lowest first. */
  visible: () =>
    [...document.querySelectorAll('.ft-card:not(.ft-under)')]
      .map((card) => ({ name: card.dataset.card, z: Number(card.style.zIndex), box: card.getBoundingClientRect() }))
      .sort((a, b) => a.z - b.z),

  /** The visible cards of a pile. @param {string} name */
  cards(name, visible = seen.visible()) {
    const area = seen.pile(name).getBoundingClientRect()
    return visible.filter(({ box: { x, y, width, height } }) => {
      const middle = { x: x + width / 2, y: y + height / 2 }
      return middle.x > area.left && middle.x < area.right && middle.y > area.top && middle.y < area.bottom
    })
  },

  /** The names of the cards in each column. @returns {string[]} */
  columns() {
    const visible = seen.visible()
    const columns = [...document.querySelectorAll('[data-pile^=column]')]
    return columns.map(({ dataset }) => seen.cards(dataset.pile, visible).map(({ name }) => name).join(' '))
  },

  /** Every card with its face and place, to compare two looks of a table. */
  picture: () => [...document.querySelectorAll('.ft-card')].map((card) => `${card.dataset.card} ${card.style.transform}`).sort(),

  /** The face of every card, wherever it lies. @returns {string[]} */
  shown: () => [...document.querySelectorAll('.ft-card')].map((card) => card.dataset.card).sort(),

  /** The label of each pile. @returns {Record<string, string | null>} */
  labels: () =>
    Object.fromEntries([...document.querySelectorAll('[data-pile]')].map((pile) => [pile.dataset.pile, pile.ariaLabel])),

  /** Whether each pile has one of these labels, and the columns are these. */
  agrees: ([columns, labels]) =>
    Object.entries(labels).every(([pile, accepted]) => accepted.includes(seen.pile(pile)?.ariaLabel)) &&
    seen.columns().join() === columns.join(),

  /** Acts as soon as an element exists, before it is painted. @param {string} selector */
  when(selector, act) {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(selector)) return
      watch.disconnect()
      act()
    })
    watch.observe(document, { childList: true, subtree: true, attributes: true })
  },

  /** @param {string} selector @param {[string, string][]} keys */
  pressWhen: (selector, keys) =>
    seen.when(selector, () => {
      for (const [key, code] of keys)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))
    }),

  /** Elements that scroll and must not; only a chat or a dialog may. */
  scrolls: () =>
    [document.documentElement, document.body, ...document.querySelectorAll('main, .race-board, [data-table]')]
      .filter((element) => element.scrollHeight > innerHeight || element.scrollWidth > innerWidth)
      .map((element) => element.outerHTML.slice(0, 80)),

  /** The visible cards that do not lie on the table as a whole. */
  cutOff() {
    const table = document.querySelector('[data-table]').getBoundingClientRect()
    return [...document.querySelectorAll('.ft-card:not(.ft-under)')]
      .filter((card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect()
        return left < table.left - 1 || right > table.right + 1 || top < table.top - 1 || bottom > table.bottom + 1
      })
      .map((card) => card.dataset.card)
  },

  /**
   * The start and end of a move: the middle of the visible part of the card, and the last card of the target, or the
   * place of its first card.
   */
  way([source, count, target]) {
    const cards = seen.cards(source)
    const { name, box } = cards.at(-count)
    const next = count > 1 ? cards.at(1 - count).box : null
    const pile = target === 'foundation' ? `foundation-${name[1]}` : target
    const area = seen.pile(pile).getBoundingClientRect()
    const last = pile.startsWith('column') ? seen.cards(pile).at(-1)?.box : undefined
    return [
      [box.x + box.width / 2, next ? (box.y + next.y) / 2 : box.y + box.height / 2],
      [area.x + area.width / 2, last ? last.y + last.height / 2 : area.y + Math.min(area.height, box.height) / 2],
    ]
  },
}

/** When the stock was last tapped, in the browser's own time. */
let drawn = -Infinity
addEventListener('pointerup', ({ target, timeStamp }) => {
  if (target.closest?.('[data-pile=stock]')) drawn = timeStamp
})
/** Whether a tap on the stock is not taken for a second tap of the last draw. */
seen.mayDraw = () => new Event('').timeStamp - drawn > 360

/** How many moves the server has not answered yet that were sent over the newest connection. */
seen.unanswered = 0
{
  /** The first word of a message, which is an array. @param {ArrayBuffer | Uint8Array} data MessagePack */
  const tagOf = (data) => {
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
    return String.fromCharCode(...bytes.subarray(2, 2 + (bytes[1] & 31)))
  }
  const { send } = WebSocket.prototype
  let newest = null
  WebSocket.prototype.send = function (data) {
    if (newest !== this) {
      newest = this
      seen.unanswered = 0
      this.addEventListener('message', ({ data }) => {
        const isAnswer = newest === this && ['moved', 'unmoved'].includes(tagOf(data))
        if (isAnswer && seen.unanswered) seen.unanswered -= 1
      })
    }
    if (tagOf(data) === 'move') seen.unanswered += 1
    send.call(this, data)
  }
}
