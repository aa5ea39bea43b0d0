import { t } from '../words/translate.js'
import { ShortAnnouncement } from './announcement.jsx'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/** The announcement for racers, beside the board. @param {{code: string, tournament: Tournament}} props */
export const RaceNews = ({ code, tournament }) => (
  <>
    {tournament.paused && <span>{t('tournament.now.held')}</span>}
    <ShortAnnouncement code={code} tournament={tournament} />
  </>
)
