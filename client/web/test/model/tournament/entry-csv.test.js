import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clubsOf, entrantsOf } from '../../../src/model/tournament/entry-csv.js'
import { joined } from '../../helpers.js'

const names = (/** @type {string} */ text) => entrantsOf(text).entrants.map(({ name }) => name)
const faults = (/** @type {string} */ text) => entrantsOf(text).faults.map(({ line, fault }) => [line, fault])

test('names are lines, or separated in a single line', () => {
  assert.deepEqual(names(' Ann \r\n\n Bob \n'), ['Ann', 'Bob'])
  assert.deepEqual(entrantsOf('Ann\nBob').columns, ['name'])
  assert.deepEqual(entrantsOf('  \n').entrants, [])
  assert.deepEqual(names('Ann, Bob,, Cleo'), ['Ann', 'Bob', 'Cleo'])
})

for (const mark of [',', ';', '\t']) {
  test(`columns have heads, separated by ${JSON.stringify(mark)}`, () => {
    const rows = 'Rating,Club,NAME\n1500,North,Ann\n1720.5,,Bob\n,South,Cleo'
    const { entrants, columns, faults } = entrantsOf(rows.replaceAll(',', mark))
    assert.deepEqual([columns, faults], [['name', 'club', 'rating'], []])
    assert.equal(joined(entrants.map(({ name, club, rating }) => [name, club, rating])), 'Bob,,1720.5 Ann,North,1500 Cleo,South,')
  })
}

test('without heads, each line is a name, also with a comma, and several columns are a fault', () => {
  assert.deepEqual(names('Lee, Ann\nCarlsen, Magnus'), ['Lee, Ann', 'Carlsen, Magnus'])
  assert.deepEqual(names('"Lee, Ann"\nBob'), ['Lee, Ann', 'Bob'])
  assert.deepEqual(names('Lee, Ann; Carlsen, Magnus'), ['Lee, Ann', 'Carlsen, Magnus'])
  assert.deepEqual(faults('Lee, Ann\nCarlsen, Magnus'), [])
  for (const text of ['Ann;\nBob;South', 'Lee\tAnn\nCarlsen\tMagnus', '1;Ann\n2;Bob']) assert.equal(faults(text)[0]?.[1], 'heads')
  assert.deepEqual(faults('Ann;\nBob;'), [])
})

test('a comma with a blank belongs to a name, unless the head has a blank, too, and an unclear one is a fault', () => {
  const table = (/** @type {string} */ text) => entrantsOf(text).entrants.map(({ name, club }) => `${name}|${club}`)
  assert.deepEqual(table('name,club\nLee, Ann,North\nBob,Red, Blue'), ['Lee, Ann|North', 'Bob|Red, Blue'])
  assert.deepEqual(table('club,name\nNorth,Lee, Ann'), ['Lee, Ann|North'])
  assert.deepEqual(table('name, club\nAnn, North'), ['Ann|North'])
  for (const row of ['Ann, North', 'Lee,Ann,North']) assert.deepEqual(faults(`name,club\n${row}`), [[2, 'comma']])
  assert.deepEqual(faults('name, club\nLee, Ann, North'), [[2, 'comma']])
  for (const text of ['"Lee, Ann","North"\nBob', '1,Ann\n2,Bob', 'Lee,Ann,North\nBob', 'Lee, Ann,North\nBob'])
    assert.equal(faults(text)[0]?.[1], 'heads', text)
})

test('a table of Excel begins with a mark or its separator, has its ends of lines, and thousands', () => {
  const { entrants, faults } = entrantsOf('\uFEFFsep=;\r\n"Name";"Rating"\r\n"Lee,  Ann";"900"\r\n"Bob";"1,500"\r\n')
  assert.deepEqual(
    [entrants.map(({ name, rating }) => [name, rating]), faults],
    [
      [
        ['Bob', 1500],
        ['Lee, Ann', 900],
      ],
      [],
    ],
  )
  assert.deepEqual(names('Ann\rBob'), ['Ann', 'Bob'])
})

test('a column can have the team, which is also the club without its own column', () => {
  const { entrants, columns } = entrantsOf('name,Team\nAnn,North\nBob,South\nCleo,North')
  assert.deepEqual(columns, ['name', 'team'])
  assert.equal(entrants.map(({ team, club }) => [team, club]).join(' '), 'North,North South,South North,North')
  const both = entrantsOf('name,team,club\nAnn,A1,Chess\nBob,A2,Chess\nCleo,A1,Chess\nDan,B,').entrants
  assert.deepEqual(clubsOf(both), [['Ann', 'Bob', 'Cleo']])
  assert.deepEqual(clubsOf(both, 'team'), [['A1', 'A2']], 'the teams of a club')
})

test('clubs, seeds, ratings, translated heads and quoted cells are read', () => {
  const { entrants } = entrantsOf('name,club\nAnn,North\nBob,South\nCleo,North\nDan,\nEve,')
  assert.deepEqual(clubsOf(entrants), [['Ann', 'Cleo']])
  assert.deepEqual(names('seed,name,rating\n2,Ann,2000\n1,Bob,1000\n,Cleo,3000\n2,Dan,1'), ['Bob', 'Ann', 'Dan', 'Cleo'])
  assert.deepEqual(entrantsOf('Nume;Cap de serie\nAna;1', { name: 'Nume', seed: 'cap de serie' }).columns, ['name', 'seed'])
  assert.deepEqual(names('name,club\n"Lee, Ann","The ""Best"""\n'), ['Lee, Ann'])
  assert.equal(entrantsOf('name,club\n"Lee, Ann","The ""Best"""\n').entrants[0].club, 'The "Best"')
})

test('each fault has its line, and a list has at most a thousand names', () => {
  const text = ['name,rating', 'Ann,12', ',13', `${'W'.repeat(25)},14`, 'ann,15', 'Bob,high', '"Cleo,16'].join('\n')
  assert.equal(joined(faults(text)), '3,noName 4,long 5,twice 6,number 7,quote')
  assert.ok(names(text).includes('Ann'))
  const list = (/** @type {number} */ many) => Array.from({ length: many }, (_, i) => `N${i}`).join('\n')
  assert.deepEqual(faults(list(1000)), [])
  assert.deepEqual(faults(list(1001)), [[1001, 'many']])
})
