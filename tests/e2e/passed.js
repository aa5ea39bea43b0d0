/**
 * Added to every tested page: keeps short messages, such as bubbles over the table, status lines and results on buttons.
 * It costs a tenth of the time of a tap, so measured pages do without it.
 */

seen.passed = new Set()

const PASSING = '.ft-bubble.ft-seen, [data-part=status], [role=status], button [aria-live]'
const remember = () => document.querySelectorAll(PASSING).forEach(({ textContent }) => seen.passed.add(textContent))
new MutationObserver(remember).observe(document, {
  childList: true,
  subtree: true,
  characterData: true,
  attributeFilter: ['class'],
})
