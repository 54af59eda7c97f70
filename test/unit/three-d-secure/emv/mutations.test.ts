// test/unit/three-d-secure/emv/mutations.test.ts — damaged messages are read or refused, never more. The run of a million is
// `npm run damaged-3ds`.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { decode, encode, MESSAGE_TYPES } from '../../../../src/three-d-secure/emv/codec.ts'
import { viewOf } from '../../../../src/three-d-secure/emv/message-view.ts'
import { VERSIONS } from '../../../../src/three-d-secure/emv/versions.ts'
import { mutated } from '../../../support/emv/mutations.ts'
import { SAMPLES } from '../../../support/emv/samples.ts'
import { SeededRandom } from '../../../support/seeded-random.ts'

const SEED = 20_261_130
const ROUNDS = 50

test.each(VERSIONS)(`damaged messages in %s are refused, or survive being written again (seed ${SEED})`, version => {
  const random = new SeededRandom(SEED)
  const seen = { read: 0, refused: 0 }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { message } of SAMPLES) {
      const text = mutated({ ...message, messageVersion: version }, random)
      const decoded = decode(text, { expected: MESSAGE_TYPES })
      viewOf(text)
      if ('refused' in decoded) {
        seen.refused += 1
        continue
      }
      seen.read += 1
      const written = encode(decoded.message, decoded.version)
      ok('text' in written, `${text} ${JSON.stringify(written)}`)
      deepEqual(decode(written.text, { expected: MESSAGE_TYPES }), decoded)
    }
  equal(seen.read + seen.refused, ROUNDS * SAMPLES.length)
  ok(seen.read > 100 && seen.refused > 100, JSON.stringify(seen))
})
