// test/unit/engine/challenge-ids.test.ts — the id of a challenge names its account.
import { equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { accountOfChallenge, challengeId } from '../../../src/engine/challenge-ids.ts'

const DIGEST = '5f0c1a523a0e4b579a0d5f6f2f2f9a105f0c1a523a0e4b579a0d5f6f2f2f9a10'

test('the id of a challenge is hexadecimal and names its account', () => {
  for (const account of ['demo', 'harbour-2', 'a'.repeat(40)]) {
    const md = challengeId(account, DIGEST)
    match(md, /^[0-9a-f]+$/)
    equal(accountOfChallenge(md), account)
  }
})

test('an id from before version 0.2, or anything else that a browser sends, names no account', () => {
  for (const md of [DIGEST.slice(0, 40), '', 'demo', `${DIGEST}!`, '%00', '0'.repeat(60)])
    equal(accountOfChallenge(md), null)
})
