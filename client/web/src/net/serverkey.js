/** The key that the server says is its own; null if it does not say, or if it is one that anybody can sign with. */
export async function serverKey() {
  try {
    const [answer, { isKey }] = await Promise.all([fetch('/api/key'), import('../rules/signature.js')])
    const { key } = await answer.json()
    return isKey(key) ? key : null
  } catch {
    return null
  }
}
