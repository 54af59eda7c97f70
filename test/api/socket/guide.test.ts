// test/api/socket/guide.test.ts — runs the program and the messages of docs/websocket.md.
import { equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import { decodeRecord } from '../../../src/engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import type { Shop } from '../../support/shop.ts'
import { openSocketShop } from '../../support/socket-till.ts'
import { portOf } from '../../support/wire-talk.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const GUIDE = readFileSync(new URL('../../../docs/websocket.md', import.meta.url), 'utf8')

test('the till of the guide takes a sale with a signature and repeats it by a duplicate', async () => {
  const [, program] = /```js\n(.*?)```/s.exec(GUIDE) ?? []
  ok(program !== undefined)
  const shop = await openSocketShop()
  const here = program.replace('127.0.0.1:4020', `127.0.0.1:${await portOf(shop)}`)
  const till = spawn(process.execPath, ['--input-type=module', '-e', here], { cwd: ROOT })
  let said = ''
  let exit: number | null | undefined
  for (const stream of [till.stdout, till.stderr]) stream.on('data', chunk => (said += chunk))
  // Not `exit`: the last output may come after it.
  till.once('close', code => (exit = code))
  // Time advances only while the terminal works. The till answers in real time, which would be hours on the virtual clock:
  // the transaction would time out.
  while (exit === undefined) await (isAtWork(await running(shop)) ? shop.clock.advance(100) : turnOfTheLoop())
  equal(exit, 0, said)
  match(said, /VCMDEMOSIS0 SIGNATURE_VERIFICATION_IN_PROGRESS/)
  match(said, /^SUCCESSFUL 1250/m)
  match(said, /the terminal remembers SUCCESSFUL 1250/)
})

async function running({ store }: Pick<Shop, 'store'>): Promise<TerminalTransaction | null> {
  const [live] = await store.list('demo', { kind: TERMINAL_TRANSACTION.kind, live: true, limit: 1 })
  return live === undefined ? null : decodeRecord(TERMINAL_TRANSACTION, live.body)
}

/** Waits for an event-loop turn, so that messages of the till arrive. */
function turnOfTheLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function isAtWork(transaction: TerminalTransaction | null): boolean {
  return transaction !== null && transaction.progress !== 'awaiting_signature'
}

test('the messages of the guide are answered', async () => {
  const shop = await openSocketShop()
  const bodies = [...GUIDE.matchAll(/(\/\S+) \\\n +-H 'Content-Type: application\/json'(?: \\\n)? +-d '(.*)'/g)]
  equal(bodies.length, 2)
  for (const [, address = '', body = ''] of bodies) {
    const path = address.replace(/^\/\/[^/]*/, '')
    const reply = await shop.till.ask('POST', path, { body: JSON.parse(body) })
    equal(reply.status, 200, reply.text)
    ok(!('error' in reply.json), reply.text)
  }
})
