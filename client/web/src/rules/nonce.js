/** What is said of a racer's number before anybody reveals one: GAMES.md, "Secret deals". */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const PREFIX = utf8ToBytes('forty-thieves nonce v1')

/** It binds, and it gives nothing away. @param {string} nonce hexadecimal, as the answer */
export const nonceCommitmentOf = (nonce) => bytesToHex(sha256(concatBytes(PREFIX, hexToBytes(nonce))))
