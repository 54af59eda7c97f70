// test/unit/services/tokens.test.ts — access tokens and the ids derived from them.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { freshToken, idOfToken, readToken } from '../../../src/services/online/tokens.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const NOON = Date.UTC(2026, 6, 1, 12)

test('a token is read with its account, also with padding and spaces', () => {
  const token = freshToken(new SeededRandom(1), 'demo-eur', NOON)
  deepEqual(readToken(` ${token}== `), { token, account: 'demo-eur' })
  equal(readToken(token.slice(0, 90)), null)
})

test('two tokens of one millisecond share only their time', () => {
  const random = new SeededRandom(1)
  const [one, other] = [freshToken(random, 'demo', NOON), freshToken(random, 'demo', NOON)]
  equal(one.slice(0, 8), other.slice(0, 8))
  notEqual(one.slice(8, 16), other.slice(8, 16))
  const [id, otherId] = [idOfToken(one), idOfToken(other)]
  equal(id.slice(0, 12), otherId.slice(0, 12))
  notEqual(id.slice(12), otherId.slice(12))
})

test('ids sort by time and hold no other part of the token', () => {
  const random = new SeededRandom(1)
  const tokens = [0, 1, 255, 256, 70_000, 2 ** 33].map(later => freshToken(random, 'demo', NOON + later))
  const ids = tokens.map(idOfToken)
  deepEqual(ids, ids.toSorted())
  for (const [index, id] of ids.entries()) {
    match(id, /^[0-9a-f]{64}$/)
    const chance = Buffer.from(tokens[index] ?? '', 'base64url')
      .subarray(6, 72)
      .toString('hex')
    ok(!chance.includes(id.slice(12, 24)))
  }
})
