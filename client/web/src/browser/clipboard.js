/** Copies a text to the clipboard. */

/** For pages without the clipboard API, such as plain HTTP in a local network. @param {string} text */
function copyByHand(text) {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'heard'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

/** @param {string} text @returns {Promise<boolean>} whether it worked */
export const copy = (text) =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => copyByHand(text),
      )
    : Promise.resolve(copyByHand(text))
