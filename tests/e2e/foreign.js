// Finds faults of a page in the test language (client/web/catalogues.js), in which every text of a catalogue is longer and has
// accents: texts without a catalogue, cut or overlapping texts, and elements outside of the page.
;(own) => {
  const READ = ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'alt']
  // Texts without a catalogue: typed texts, keys of a keyboard, codes of rooms, times, cards in two characters.
  const OWN = 'bdi, kbd, time, [aria-hidden=true], code, script, style, noscript, [data-part=code], [lang]:not(html), .heard-card, .ft-face'
  const faults = new Set()

  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })

  // For screen readers only.
  const isOnlyHeard = (element) => {
    for (let outer = element; outer && outer !== document.body; outer = outer.parentElement)
      if (getComputedStyle(outer).clipPath !== 'none' || outer.matches('.heard')) return true
    return false
  }

  const untranslated = (text) =>
    // Keys of servers have none, either.
    (text.replace(/[0-9a-f]{64}/g, '').match(/\p{L}+/gu) ?? []).filter(
      (word) => word.length > 2 && /^[A-Za-z]+$/.test(word) && /[acdeilnorstuy]/i.test(word) && !own.includes(word) && !/^[A-Z]{6}$/.test(word),
    )

  const where = (element) => {
    const named = element.closest('[class]') ?? element
    return `${named.tagName.toLowerCase()}.${String(named.getAttribute('class')).split(' ').join('.')}`
  }

  for (const element of document.body.querySelectorAll('*')) {
    for (const name of READ) {
      const text = element.getAttribute(name)
      if (text && !element.closest(OWN) && untranslated(text).length) faults.add(`not in a catalogue: ${name}="${text}" at ${where(element)}`)
    }
  }

  // A browser shows these itself, so they count as not shown.
  for (const option of document.querySelectorAll('option:not([lang])')) {
    if (untranslated(option.label).length) faults.add(`not in a catalogue: option "${option.label}" at ${where(option.parentElement)}`)
  }

  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    if (!node.data.trim() || !element || !isShown(element) || element.closest('[aria-hidden=true]')) continue
    if (!element.closest(OWN) && untranslated(node.data).length) faults.add(`not in a catalogue: "${node.data.trim()}" at ${where(element)}`)
    if (isOnlyHeard(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    // Letters may be higher than their line.
    const line = parseFloat(getComputedStyle(element).lineHeight) || Infinity
    for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
      const above = Math.max(0, height - line) / 2
      const box = { left, right, top: top + above, bottom: bottom - above, width, height: height - 2 * above }
      if (width > 1 && height > 1) texts.push({ element, box, text: node.data.trim() })
    }
  }

  // A text that ends with dots on purpose ends there.
  for (const one of texts) {
    for (let outer = one.element; outer && outer !== document.body; outer = outer.parentElement) {
      if (getComputedStyle(outer).textOverflow !== 'ellipsis') continue
      const edge = outer.getBoundingClientRect()
      one.box.right = Math.min(one.box.right, edge.right)
      one.box.width = Math.max(0, one.box.right - one.box.left)
    }
  }

  // Cut off: by a box that hides what does not fit and shows no dots for it, or by the side of the page.
  // (A phone shows all of a page that is too wide, and `innerWidth` with it.)
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    // Scrolling elements make the page no wider.
    const scrolls = (element) => element !== document.body && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement))
    const right = (element) => element.getBoundingClientRect().right
    const wide = [...document.body.querySelectorAll('*')].filter((one) => right(one) > clientWidth && !scrolls(one.parentElement))
    const furthest = wide.sort((one, other) => right(other) - right(one))[0]
    faults.add(`the page is ${scrollWidth - clientWidth} px too wide, at ${furthest && where(furthest)}`)
  }
  for (const { element, box, text } of texts) {
    for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) {
      const style = getComputedStyle(outer)
      if (style.position === 'fixed') break
      if (style.overflowX === 'visible' || style.overflowX === 'auto' || style.overflowX === 'scroll') continue
      const edge = outer.getBoundingClientRect()
      const isCut = box.right > edge.right + 2 || box.left < edge.left - 2 || box.bottom > edge.bottom + 4 || box.top < edge.top - 4
      const hasDots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      if (isCut && !hasDots && edge.width > 1) faults.add(`cut off: "${text}" at ${where(outer)}`)
      break
    }
  }

  // What scrolls up and down must not have to be scrolled sideways for long words, and no field or key may be wider than its
  // place. (Tables and lanes may: they have columns.)
  for (const element of document.body.querySelectorAll('*')) {
    if (!isShown(element) || isOnlyHeard(element)) continue
    const { overflowX, overflowY, position } = getComputedStyle(element)
    const { scrollWidth, clientWidth } = element
    if (overflowX === 'auto' && overflowY === 'auto' && !element.querySelector('table') && scrollWidth > clientWidth + 1)
      faults.add(`to be scrolled sideways by ${scrollWidth - clientWidth} px: ${where(element)}`)
    if (!element.matches('button, input, select, textarea, kbd') || position === 'absolute') continue
    let place = element.parentElement
    while (getComputedStyle(place).display === 'contents') place = place.parentElement
    const by = element.getBoundingClientRect().right - place.getBoundingClientRect().right
    if (by > 1) faults.add(`sticks out by ${by} px: ${where(element)} "${element.textContent}"`)
  }

  // On each other: both are seen, as neither is under something else.
  const isOnTop = ({ element, box }) => {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false
    const found = document.elementFromPoint(x, y)
    return found === element || found?.contains(element) || element.contains(found)
  }
  const seen = texts.filter(isOnTop)
  seen.forEach((one, i) => {
    for (const other of seen.slice(i + 1)) {
      if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      // Letters do not fill their line.
      if (width > 3 && height > 0.4 * Math.min(one.box.height, other.box.height)) faults.add(`on each other: "${one.text}" and "${other.text}"`)
    }
  })
  return [...faults]
}
