// test/recorded/compare.test.ts — the comparison finds every change, and accepts only intended ones.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { ABSENT, type Change, changesIn, type Difference, isMeant, reworded } from './compare.ts'
import type { Json } from './json.ts'

const RECORDED = {
  exchange: 'GET /a',
  answer: { status: 404, headers: { etag: '"1"' }, body: { message: 'It is gone.', list: [1, 2] } },
}

const after = (changes: { readonly [name: string]: Json }): Json => ({
  ...RECORDED,
  answer: { ...RECORDED.answer, ...changes },
})

test.each([
  ['a status', { status: 410 }, 'answer.status', 404, 410],
  ['a header', { headers: { etag: '"2"' } }, 'answer.headers.etag', '"1"', '"2"'],
  ['a header that is gone', { headers: {} }, 'answer.headers.etag', '"1"', ABSENT],
  [
    'a header that is new',
    { headers: { ...RECORDED.answer.headers, vary: 'Origin' } },
    'answer.headers.vary',
    ABSENT,
    'Origin',
  ],
  [
    'a text',
    { body: { ...RECORDED.answer.body, message: 'It has gone.' } },
    'answer.body.message',
    'It is gone.',
    'It has gone.',
  ],
  ['a member of a list', { body: { ...RECORDED.answer.body, list: [1, 3] } }, 'answer.body.list.1', 2, 3],
  [
    'a list with one more element',
    { body: { ...RECORDED.answer.body, list: [1, 2, 3] } },
    'answer.body.list.2',
    ABSENT,
    3,
  ],
  ['a longer list', { body: { ...RECORDED.answer.body, list: [3, 2, 1] } }, 'answer.body.list', [1, 2], [3, 2, 1]],
] as const)('one change is reported for %s', (_, changes, path, recorded, now) => {
  deepEqual(changesIn('area/scenario/01 GET /a', RECORDED, after(changes)), [
    { exchange: 'area/scenario/01 GET /a', path, recorded, now },
  ])
})

test.each([
  ['that is gone', { list: null }, {}, null, ABSENT],
  ['that is new', {}, { list: null }, ABSENT, null],
  ['that has got a value', { list: null }, { list: 1 }, null, 1],
] as const)('one change is reported for a null member %s', (_, before, now, recorded, fresh) => {
  deepEqual(changesIn('a', before, now), [{ exchange: 'a', path: 'list', recorded, now: fresh }])
})

test('elements with a name are compared by it when a list has one more', () => {
  const [before, fresh] = [
    [{ name: 'a', title: 'A.' }],
    [
      { name: 'b', title: 'B.' },
      { name: 'a', title: 'An A.' },
    ],
  ]
  deepEqual(changesIn('a', before, fresh), [
    { exchange: 'a', path: '0', recorded: ABSENT, now: { name: 'b', title: 'B.' } },
    { exchange: 'a', path: '0.title', recorded: 'A.', now: 'An A.' },
  ])
})

test('equal exchanges have no changes', () => {
  deepEqual(changesIn('a', RECORDED, structuredClone(RECORDED)), [])
})

const CHANGE: Change = {
  exchange: 'counter/a sale/03 GET /x',
  path: 'answer.body.userMessage',
  recorded: 'A (b) c.',
  now: 'A (d) c.',
}
const MEANT: Difference = {
  exchanges: 'counter/*',
  path: '*.userMessage',
  recorded: '(b)',
  now: '(d)',
  because: 'It reads better.',
}

test('a change is intended when exchange, path and both values match a difference', () => {
  equal(isMeant(CHANGE, MEANT), true)
  equal(isMeant(CHANGE, { ...MEANT, recorded: 'A (b) c.', now: 'A (d) c.' }), true)
  for (const other of [
    { exchanges: 'tables/*' },
    { path: 'answer.status' },
    { recorded: '(c)' },
    { now: '(e)' },
    { exchanges: 'counter' },
  ])
    equal(isMeant(CHANGE, { ...MEANT, ...other }), false, JSON.stringify(other))
})

test('an addition is intended when the difference records it as absent', () => {
  const added = { ...CHANGE, path: 'answer.headers.vary', recorded: ABSENT, now: 'Origin' }
  equal(isMeant(added, { ...MEANT, path: 'answer.headers.vary', recorded: ABSENT, now: 'Origin' }), true)
  equal(isMeant(added, { ...MEANT, path: 'answer.headers.vary', recorded: ABSENT, now: 'Accept' }), false)
})

test.each([
  ['Invalid amount', 'Invalid amount: it …'],
  ['Invalid access token', null],
  ['An Invalid amount', null],
])('a text of one word is reworded: %s', (text, now) => {
  const difference = { exchanges: '*', path: '*', recorded: 'Invalid {name}', now: 'Invalid {name}: it …', because: '' }
  equal(reworded(difference, text), now)
  const change = { exchange: 'a/b/01 GET /', path: 'answer.body', recorded: text, now: 'Invalid amount: it is zero.' }
  equal(isMeant(change, difference), now !== null)
  equal(isMeant({ ...change, now: 'Invalid orderId: it is zero.' }, difference), false)
})
