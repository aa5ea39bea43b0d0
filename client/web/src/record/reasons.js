/**
 * What is found about a record, in words for people. The findings are codes with parameters (`proof.js`, `shape.js`), which
 * shared/RECORD.md lists; nothing but this file knows how they read here.
 */

/** @typedef {{code: string, params?: Record<string, any>}} Reason */

/** @type {Record<string, (params: Record<string, any>) => string>} by check and code */
const SENTENCES = {
  'format/well-formed': () => 'it has all that a record has',
  'format/missing': ({ place }) => `${place} is missing`,
  'format/unknown-field': ({ place }) => `${place} is not a field of a record`,
  'format/not-map': ({ place }) => `${place} is not a map`,
  'format/not-list': ({ place }) => `${place} is not a list`,
  'format/not-row': ({ place, length }) => `${place} is not a list of ${length}`,
  'format/too-many-items': ({ place, most }) => `${place} has more than ${most} items`,
  'format/not-whole': ({ place, low, high }) => `${place} is not a whole number from ${low} to ${high}`,
  'format/not-one-of': ({ place, choices }) => `${place} is not one of ${choices.join(', ')}`,
  'format/not-hexadecimal': ({ place, digits }) => `${place} is not ${digits} hexadecimal digits in lower case`,
  'format/not-time': ({ place }) => `${place} is not a time in milliseconds`,
  'format/not-boolean': ({ place }) => `${place} is not true or false`,
  'format/not-text': ({ place }) => `${place} is not a text`,
  'format/not-plain': ({ place }) => `${place} is not a text, a whole number, true, false or null`,
  'format/not-game': ({ place }) => `${place} is not the key of a game`,
  'format/not-deal': ({ place }) => `${place} is not secret, a deal number or CODE/N`,
  'format/not-code': ({ place }) => `${place} is not a room code`,
  'format/not-number': ({ place }) => `${place} is not a deal number`,
  'format/not-race': ({ place }) => `${place} is not CODE/N`,
  'format/not-entry': ({ place }) => `${place} is not 1 to 8 letters`,
  'format/not-deck': ({ place }) => `${place} is not the 104 cards of two packs`,
  'format/unsorted': ({ place }) => `${place} is not sorted by seat`,
  'format/no-racers': () => 'racers is empty',
  'format/other-seats': () => 'logs has other seats than racers',
  'format/stranger': ({ place }) => `${place} is about nobody who raced`,

  'signature/signed-by-server': ({ key }) => `it is signed with the key ${key}, as it should be`,
  'signature/signed': ({ key }) => `it is signed with the key ${key}; whether that is the server's, only the server can tell`,
  'signature/wrong-key': ({ key, expected }) => `it is signed with the key ${key}, and should be with ${expected.join(' or ')}`,
  'signature/key-given-up': ({ key }) => `the key ${key} was given up more than a minute before the race was over`,
  'signature/bad-signature': () => 'the signature is not one of this record',

  'commitment/committed': () => 'the secret is the one that was committed to',
  'commitment/promised': ({ key }) => `the secret is the one that was promised before the race, signed with the key ${key}`,
  'commitment/open-deal': () => 'an open deal needs no commitment',
  'commitment/half': () => 'a secret and a commitment go together',
  'commitment/wrong-secret': () => 'the secret is not the one that was committed to',
  'commitment/no-promise': () => 'the server has not promised this deal',
  'commitment/promise-wrong-key': ({ key }) =>
    `the promise is signed with the key ${key}, which is not the server's (an earlier key of the server has to be given, too)`,
  'commitment/promise-key-given-up': ({ key }) => `the key ${key} was given up more than a minute before the promise was made`,
  'commitment/bad-promise': () => 'the promise is not signed for this deal of this race',
  'commitment/late-promise': () => 'the promise was made after the start',

  'deal/dealt': () => 'the deck is the one of this deal',
  'deal/wrong-game': () => 'the game is not the one that is set',
  'deal/wrong-kind': () => 'the deal is not of the kind that is set',
  'deal/nonce-not-there': () => 'gave a nonce, and was not there at the start',
  'deal/commitment-not-there': () => 'committed to a nonce, and is a bot or was not there at the start',
  'deal/wrong-nonce': () => 'gave another nonce than it had committed to',
  'deal/no-such-deal': () => 'there is no deal of this number',
  'deal/wrong-deck': () => 'the deck is not the one of this deal',

  'moves/legal': ({ moves }) => `all moves are legal, ${moves} in number`,
  'moves/bad-move': ({ move }) => `${move} is not a move`,
  'moves/illegal-move': ({ move }) => `${move} is not allowed there`,
  'moves/after-end': ({ move, outcome }) => `${move} comes when the board is ${outcome}`,

  'times/in-order': () => 'all times are in order',
  'times/wrong-end': () => 'the race does not end at its time limit',
  'times/wrong-over': () => 'the race is not over when its last racer is',
  'times/events-unsorted': () => 'the events are not in order',
  'times/late-unclear': () => 'late says one thing, and the events another',
  'times/late-not-let-in': () => 'came late, and nobody was let in late',
  'times/nothing-to-take-back': () => 'took giving up back without having given up',
  'times/before-last-entry': () => 'it is earlier than the entry before it',
  'times/after-race': () => 'it is later than the end of the race',
  'times/before-start': () => "it is earlier than this racer's start",
  'times/after-racer': () => "it is later than this racer's end",

  'results/results-follow': () => 'all results follow from the moves',
  'results/wrong-result': ({ field, stated, right }) => `${field} is ${stated}, and should be ${right}`,

  'ranking/places-follow': () => 'the places follow from the results',
  'ranking/wrong-place': ({ stated, right }) => `the place is ${stated ?? 'none'}, and should be ${right ?? 'none'}`,

  'remarks/numbers-given': ({ given, racers }) => `${given} of ${racers} racers' numbers went into the deal`,
  'remarks/no-numbers': () => "no racer's number went into the deal: the server alone chose the cards",
  'remarks/not-committed': () =>
    'racers said their numbers without having committed to them: a server with a seat could choose the cards',
  'remarks/number-withheld': ({ seat }) => `seat ${seat} promised a number and did not reveal it in time`,
}

/**
 * What was found by a check, or as one of the `remarks`.
 *
 * @param {string} check
 * @param {Reason} reason
 */
export function reasonText(check, { code, params = {} }) {
  return `${SENTENCES[`${check}/${code}`]?.(params) ?? code}${params.or_null ? ', or null' : ''}`
}
