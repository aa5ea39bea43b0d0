import { instead } from '../hooks.js'

/** A link within the page, which loads nothing. @param {{href: string, onGo: () => void, [more: string]: any}} props */
export const Link = ({ href, onGo, ...props }) => <a {...props} href={href} onClick={instead(onGo)} />
