/** Keeps the screen on in browsers without wake locks. */

/** Plays a video that nobody sees, which keeps the screen on. @returns {() => void} stops it */
export function playUnseen() {
  const canvas = document.createElement('canvas')
  if (!canvas.captureStream) return () => {}
  const pen = canvas.getContext('2d')
  const stream = canvas.captureStream(1)
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: stream })
  video.className = 'unseen'
  video.setAttribute('aria-hidden', 'true')
  document.body.append(video)
  // A picture that never changes has no frames.
  const drawing = setInterval(() => pen?.fillRect(0, 0, 1, 1), 1000)
  const play = () => void (document.hidden || video.play().catch(() => {}))
  play()
  document.addEventListener('visibilitychange', play)
  return () => {
    clearInterval(drawing)
    document.removeEventListener('visibilitychange', play)
    for (const track of stream.getTracks()) track.stop()
    video.remove()
  }
}
