/** The icons that are needed up to the first cards. `more-icons.jsx` has all. */
import './controls.css'

export const PATHS = {
  undo: 'M9 7 4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3',
  flag: 'M6 21V4m0 1h11l-2.5 4L17 13H6',
  chat: 'M4 5h16v11H10l-4 4v-4H4z',
  options: 'M4 7.5h8m6 0h2M4 16.5h2m6 0h8M15 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-6 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.7a2.5 2.5 0 1 1 3.6 2.3c-.7.4-1.1.9-1.1 1.7m0 3v.01',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18z',
  hint: 'M9.5 18h5M10 21h4M9 15.5c0-1.5-3-3-3-6.5a6 6 0 0 1 12 0c0 3.5-3 5-3 6.5z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zm9.5 2.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v7h14v-7',
  check: 'M5 12.5 10 17.5 19.5 7',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.7-1.5',
  crown: 'M4 18h16l1-10-5 4-4-7-4 7-5-4z',
  bot: 'M5 9h14v10H5zM12 9V5m-3 8.5v1m6-1v1M2.5 13v3m19-3v3',
  mute: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5m0-5-5 5',
  speaker: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  on: 'M13 6l6 6-6 6m6-6H4',
  back: 'M11 6l-6 6 6 6M5 12h15',
  play: 'M7 4.5v15l12-7.5z',
  ghost: 'M5 20.5V11a7 7 0 0 1 14 0v9.5l-2.3-1.8-2.4 1.8-2.3-1.8-2.3 1.8-2.4-1.8zM9.5 10.5v.5m5-.5v.5',
  out: 'M10 4H5v16h5M15 8l4 4-4 4m4-4H9',
  dice: 'M5 5h14v14H5zM9 9v.01M15 9v.01M9 15v.01M15 15v.01M12 12v.01',
  send: 'M4 12 20 4.5 15 20l-3.5-6.5z',
}

/** @param {{path: string}} props */
export const Drawn = ({ path }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** @param {{name: keyof typeof PATHS}} props */
export const Icon = ({ name }) => <Drawn path={PATHS[name]} />

/** A short text in a frame. @param {{kind?: string, icon?: keyof typeof PATHS, text: string, 'data-part'?: string}} props */
export const Badge = ({ kind, icon, text, ...props }) => (
  <span class={kind ? `badge badge-${kind}` : 'badge'} {...props}>
    {icon && <Icon name={icon} />} {text}
  </span>
)
