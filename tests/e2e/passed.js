/**
 * Put into every page that is tested: keeps what was to be read there only for a moment, such as bubbles over the table
 * and lines that say how it goes. It costs a tenth of the time of a tap, so pages that are measured do without.
 */

seen.passed = new Set()

const PASSING = '.ft-bubble.ft-seen, [data-part=status], [role=status]'
const remember = () => document.querySelectorAll(PASSING).forEach(({ textContent }) => seen.passed.add(textContent))
new MutationObserver(remember).observe(document, {
  childList: true,
  subtree: true,
  characterData: true,
  attributeFilter: ['class'],
})
