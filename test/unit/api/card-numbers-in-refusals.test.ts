// test/unit/api/card-numbers-in-refusals.test.ts — no refusal repeats what looks like a card number, on any interface.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { browserError, connectError, problem, shopError } from '../../../src/api/answers.ts'
import { refusalReply } from '../../../src/api/socket/replies.ts'
import { REFUSALS, type Refusal, type RefusalCode } from '../../../src/domain/refusals.ts'

const CARDS = ['4456530000001096', '4456.5300.0000.1096', 'a4456530000001096b']

for (const card of CARDS)
  test(card, () => {
    const codes = Object.keys(REFUSALS) as RefusalCode[]
    const said = codes.flatMap(code => {
      const refusal = { code, field: card, tid: card, detail: `There is no ${card}.` } as Refusal
      return [
        connectError(refusal),
        problem(refusal, 'r'),
        shopError(refusal),
        browserError(refusal),
        refusalReply(refusal, 1, 'tid'),
      ].map(answer => JSON.stringify(answer))
    })
    ok(said.length > 300)
    deepEqual(
      said.filter(text => text.includes(card)),
      [],
    )
  })
