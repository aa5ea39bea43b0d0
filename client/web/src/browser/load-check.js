/**
 * A part of each page's HTML (vite.config.js): tells the player if the page does not appear, or if a later part of it is missing.
 * It is inside the page, because a file of its own might also be missing. It uses only what the oldest browsers with modules know
 * (ES2015).
 *
 * `data-shown` at the root element means that the page is drawn (main.jsx). Then the style sheet hides the notice.
 */
{
  const LATE = 15_000 // a page that is still not shown then probably never will be (a guess), in ms
  const AGAIN = 1000 // the pause before a style sheet is loaded again, which neither browser nor bundler does, in ms

  const root = document.documentElement
  let isDrawn = false

  const tell = () => {
    const notice = document.getElementById('failed')
    if (!notice) return void setTimeout(tell, 50) // not parsed yet
    notice.hidden = false
    notice.onclick = ({ target }) => {
      if (target instanceof HTMLButtonElement) location.reload()
      else if (isDrawn) root.dataset.shown = ''
    }
  }

  /** @param {Event} event */
  const onWrong = ({ target }) => {
    if (target instanceof HTMLLinkElement) setTimeout(() => target.replaceWith(target.cloneNode()), AGAIN)
    tell()
  }
  // Elements report a missing file with an event that only capturing listeners of the window see.
  addEventListener('error', onWrong, true)
  // Nobody else tells the player, for example if the file for hints cannot be loaded.
  addEventListener('unhandledrejection', () => {
    if ('shown' in root.dataset) isDrawn = true
    delete root.dataset.shown
    tell()
  })
  setTimeout(tell, LATE)
}
