/** Line icons, drawn for this page. */

const PATHS = {
  undo: 'M9 7 4.500 11.500 9 16M5 11.500h9a5 5 0 0 1 0 10h-3',
  flag: 'M6 21V4m0 1h11l-2.500 4L17 13H6',
  chat: 'M4 5h16v11H10l-4 4v-4H4z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  help: 'M9 9.200a3 3 0 1 1 4.300 2.700c-.9.4-1.300 1-1.300 2.100m0 3.500v.01',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zm9.500 2.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600z',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v7h14v-7',
  check: 'M5 12.500 10 17.500 19.500 7',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 6.700-1.500',
  crown: 'M4 18h16l1-10-5 4-4-7-4 7-5-4z',
  bot: 'M5 9h14v10H5zM12 9V5m-3 8.500v1m6-1v1M2.500 13v3m19-3v3',
  mute: 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500zM16 9.500l5 5m0-5-5 5',
  speaker: 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  people: 'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20a6.500 6.500 0 0 1 13 0M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  back: 'M11 6l-6 6 6 6M5 12h15',
  out: 'M10 4H5v16h5M15 8l4 4-4 4m4-4H9',
  send: 'M4 12 20 4.500 15 20l-3.500-6.500z',
}

/** @typedef {keyof typeof PATHS} IconName */

/** @param {{name: IconName}} props */
export const Icon = ({ name }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
