/**
 * Lets the page go on while the browser translates it. It is loaded only then (`window.js`).
 *
 * Google Translate replaces a text node by a `<font>` with the translation. Preact keeps the text node and would change it unseen,
 * or fail to insert something before it. So the text node returns, empty, before its translation. When Preact changes or
 * removes it, the translation goes, and Google translates the new text.
 */

/** @typedef {Map<Node, string | null>} Texts text nodes with their words */

/** @param {HTMLElement} root @param {MutationRecord[]} before the changes so far */
export function keepTexts(root, before) {
  /** @type {WeakMap<Node, ChildNode>} */
  const translationOf = new WeakMap()
  /** @type {WeakMap<Node, Texts>} */
  const textsOf = new WeakMap()

  /** @param {Texts} texts @param {ChildNode} translation */
  function stands(texts, translation) {
    textsOf.set(translation, texts)
    for (const text of texts.keys()) translationOf.set(text, translation)
  }

  /** @param {Text} text @param {Element} font */
  function keep(text, font) {
    if (font.contains(text)) text.replaceWith(text.cloneNode())
    font.before(text)
    observer.observe(text, { characterData: true })
    stands((textsOf.get(font) ?? new Map()).set(text, text.data), font)
    text.data = ''
  }

  /** Show the texts again. @param {ChildNode | undefined} translation @param {Node} [changed] the text that has new words */
  function end(translation, changed) {
    for (const [text, words] of (translation && textsOf.get(translation)) ?? []) {
      translationOf.delete(text)
      if (text !== changed) text.nodeValue = words
    }
    translation?.remove()
  }

  /** @param {MutationRecord[]} changes */
  function follow(changes) {
    const fonts = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(({ nodeName }) => nodeName === 'FONT'))
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of changes) {
      if (type === 'characterData') end(translationOf.get(target), target)
      for (const node of /** @type {NodeListOf<ChildNode>} */ (removedNodes)) {
        const [texts, translation] = [textsOf.get(node), translationOf.get(node)]
        const [next] = /** @type {NodeListOf<ChildNode>} */ (addedNodes)
        const font = [next, previousSibling, nextSibling].find((near) => near && fonts.has(near) && near.parentNode === target)
        if (texts && next && !texts.has(next)) stands(texts, next)
        else if (texts) end(node)
        else if (translation && node.isConnected) node.after(translation)
        else if (translation) end(translation, node)
        else if (node instanceof Text && font instanceof Element) keep(node, font)
      }
    }
    observer.takeRecords() // our own changes
  }

  const observer = new MutationObserver(follow)
  follow(before)
  // These texts may have changed since. Google translates them again.
  for (const { addedNodes } of before)
    for (const node of /** @type {NodeListOf<ChildNode>} */ (addedNodes)) if (textsOf.has(node)) end(node)
  observer.takeRecords()
  observer.observe(root, { childList: true, subtree: true })
}
