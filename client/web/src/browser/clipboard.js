/** Puts a text where it can be pasted from. */

/** Without the clipboard API, which a plain-http page in the local network does not have. @param {string} text */
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

/** @param {string} text @returns {Promise<boolean>} whether it is there */
export const copy = (text) =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => copyByHand(text),
      )
    : Promise.resolve(copyByHand(text))
