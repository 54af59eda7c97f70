// test/api/socket/garbage.test.ts — random frames: each message gets at most one answer, nothing is started, and the connection
// stays open.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { connectTill, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'

/** Valid messages, to be changed. */
const GOOD: readonly object[] = [
  { jsonrpc: '2.0', id: 1, method: 'connectedTerminals', params: { status: 'BUSY', currency: 'GBP' } },
  { jsonrpc: '2.0', id: 2, method: 'terminalDetails', params: { tid: TID } },
  { jsonrpc: '2.0', id: 3, method: 'cancelTransaction', params: { tid: TID } },
  { jsonrpc: '2.0', id: 4, method: 'duplicate', params: { tid: 'none' } },
  { jsonrpc: '2.0', id: 5, method: 'sale', params: { tid: 'none', currency: 'GBP', amount: 100, amountCashback: 5 } },
  { jsonrpc: '2.0', id: 6, method: 'completion', params: { tid: 'none', currency: 'GBP', amount: 1, authCode: 'A' } },
  { jsonrpc: '2.0', id: 7, result: { accepted: true } },
  { jsonrpc: '2.0', id: 8, error: { code: -32603, message: 'no' } },
]

const ODD = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...['', 'N/A', '__proto__', '\u0000', '\ud800', 'a'.repeat(5_000), 1e308, -0, 1_000_000, 2 ** 53]),
)

/** A valid message with one member replaced, removed or added, at either level. */
const NEAR = fc
  .record({
    request: fc.constantFrom(...GOOD),
    inside: fc.boolean(),
    member: fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', 'tid', 'amount', 'status', 'x'),
    change: fc.oneof(
      fc.constant('remove' as const),
      ODD.map(value => ({ value })),
    ),
  })
  .map(({ request, inside, member, change }) => {
    const copy = structuredClone(request) as Record<string, unknown>
    const target = inside ? (Object.values(copy).find(value => typeof value === 'object') as typeof copy) : copy
    if (change === 'remove') delete target[member]
    else target[member] = change.value
    return JSON.stringify(copy)
  })

/** A valid message with a few characters inserted or removed. */
const BENT = fc
  .record({
    request: fc.constantFrom(...GOOD),
    at: fc.nat(),
    by: fc.string({ maxLength: 2 }),
    drop: fc.nat({ max: 2 }),
  })
  .map(({ request, at, by, drop }) => {
    const text = JSON.stringify(request)
    const place = at % text.length
    return text.slice(0, place) + by + text.slice(place + drop)
  })

async function survives(kind: fc.Arbitrary<string | Uint8Array>, version: 'v0' | 'v1'): Promise<void> {
  const shop = await openSocketShop()
  const till = await connectTill(shop, { version })
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 20 }), async messages => {
      const before = till.heard.length
      for (const message of messages) till.say(message)
      await till.settle()
      const answers = till.heard.slice(before)
      ok(answers.length <= messages.length, JSON.stringify(answers))
      for (const { error } of answers) ok(error === undefined || error.code !== -32603, JSON.stringify(messages))
      equal(till.socket.readyState, till.socket.OPEN)
    }),
    { numRuns: 60 },
  )
  await stillWell(till)
  deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
  equal(shop.log.lines.filter(({ level }) => level === 'error').length, 0)
}

async function stillWell(till: SocketTill): Promise<void> {
  const listed = await till.ask('connectedTerminals', undefined, 77)
  ok(Array.isArray(listed.result) && listed.result.length > 5)
}

test('random bytes in binary frames', () => survives(fc.uint8Array({ maxLength: 200 }), 'v1'))
test('random text', () =>
  survives(
    fc.string({ unit: 'binary', maxLength: 200 }).map(text => Buffer.from(text).toString()),
    'v1',
  ))
test('random JSON', () => survives(fc.json(), 'v1'))
test.each(['v0', 'v1'] as const)('messages of %s with one changed member', version => survives(NEAR, version))
test('messages with changed characters', () => survives(BENT, 'v1'))

test('JSON that is nested a hundred thousand levels deep is refused', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  till.say(deep)
  till.say(`{"jsonrpc":"2.0","id":1.0,"method":"duplicate","params":${deep}}`)
  till.say(`{"jsonrpc":"2.0","id":1,"method":"duplicate","params":{"tid":${deep}}}`)
  await till.settle()
  deepEqual(
    till.heard.map(({ error }) => error?.code),
    [-32600, -32602, -32602],
  )
  await stillWell(till)
})
