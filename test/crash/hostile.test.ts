// test/crash/hostile.test.ts — hostile conditions: starts that are killed, two gateways on one directory, a full disk, a
// stop under load.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { scriptedTerminals } from '../../src/simulator/seed.ts'
import { begin, emptyDirectory, runJson, serving } from '../cli/tollgate.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { createLine, type Line } from './line.ts'
import { createMoments } from './moments.ts'
import { createMortalGateway } from './mortal-gateway.ts'

/** Each test takes a few seconds, and starts many processes on a machine that may be busy. */
const PATIENCE = { timeout: 90_000 }
const KEY = 'demo-api-key'
const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
const TERMINALS = [...scriptedTerminals('DEMO'), '22160001', '22160002']

/** A gateway with its own data directory, and a connection to it. */
function openLine() {
  const directory = emptyDirectory()
  const gateway = createMortalGateway(directory, {
    TOLLGATE_TRANSACTION_LIMIT_MS: '2000',
    TOLLGATE_SIGNATURE_MS: '1000',
  })
  const moments = createMoments(directory)
  onTestFinished(() => moments.close())
  return { directory, gateway, moments, line: createLine(gateway, moments, KEY) }
}

async function startOn(line: Line, tid: string, key: string) {
  return line.ask('POST', `/pac/terminals/${tid}/transactions`, { headers: { 'idempotency-key': key }, body: SALE })
}

/** The result of a transaction, once it has one. */
async function resultOf(line: Line, tid: string, requestId: string): Promise<string> {
  const path = `/pac/terminals/${tid}/transactions/${requestId}`
  for (let etag = ''; ; ) {
    const { status, headers, text } = await line.insist('GET', path, {
      headers: { prefer: 'wait=20', 'if-none-match': etag },
    })
    if (status === 304) continue
    equal(status, 200, text)
    etag = String(headers.etag)
    const { transactionResult } = JSON.parse(text) as { readonly transactionResult?: string }
    if (transactionResult !== undefined) return transactionResult
  }
}

async function isHealthy(directory: string): Promise<void> {
  const doctor = await runJson<{ readonly healthy: boolean }>(['doctor', '--data', directory])
  ok(doctor.healthy, JSON.stringify(doctor))
}

test(
  'a gateway killed repeatedly in its first start is intact after the first start that completes',
  PATIENCE,
  async () => {
    const { directory, gateway, moments, line } = openLine()
    let deaths = 0
    // Each start gets further than the one before: files, tables, accounts, keys.
    for (let count = 1, alive = false; !alive; count *= 2) {
      const moment = moments.come({ what: 'any_change', count, turns: 0, sinceStart: true })
      gateway.start()
      alive = await Promise.race([gateway.up().then(() => true), moment.then(() => false)])
      await gateway.kill()
      deaths += 1
    }
    ok(deaths > 3, `${deaths}`)
    gateway.start()
    const { terminals } = JSON.parse((await line.insist('GET', '/api/terminals')).text) as {
      terminals: { tid: string }[]
    }
    deepEqual(
      terminals.map(({ tid }) => tid),
      TERMINALS,
    )
    const started = await startOn(line, TERMINALS[0]!, 'first')
    const { requestId } = JSON.parse(started?.text ?? '') as { requestId: string }
    equal(await resultOf(line, TERMINALS[0]!, requestId), 'SUCCESSFUL')
    equal((await gateway.stop()).code, 0)
    await isHealthy(directory)
  },
)

test(
  'of three gateways started at once on one data directory, one runs and the others report why they do not',
  PATIENCE,
  async () => {
    const directory = emptyDirectory()
    const starts = [1, 2, 3].map(() => begin(['serve', '--json', '--data', directory]))
    const ends = await Promise.all(
      starts.map(start =>
        Promise.race([
          start.printed(/"listening":/).then(
            () => null,
            () => start.ended,
          ),
          start.ended,
        ]),
      ),
    )
    const refused = ends.filter(end => end !== null)
    equal(refused.length, 2)
    for (const { code, stderr } of refused) {
      equal(code, 1)
      match(stderr, /^tollgate: .* is in use by another running gateway;/)
    }
    const winner = starts[ends.indexOf(null)]!
    winner.child.kill('SIGKILL')
    await winner.ended
    equal((await (await serving(directory)).stop()).code, 0)
  },
)

test(
  'on a full disk only stored changes are acknowledged, reads work, and service resumes when there is space',
  PATIENCE,
  async () => {
    const { directory, gateway, line } = openLine()
    gateway.start()
    await gateway.up()
    await gateway.kill()
    // In blocks of 512 bytes: room for a few payments.
    const blocks = Math.ceil((statSync(join(directory, 'tollgate.db-wal')).size + 1_000_000) / 512)
    gateway.start(['sh', '-c', 'ulimit -f "$0" && exec "$@"', String(blocks)])
    const acknowledged: { readonly tid: string; readonly requestId: string }[] = []
    // A terminal whose payment cannot be stored any more stays busy, so rotate through the terminals.
    for (let turn = 0, full = false; !full; turn += 1) {
      const tid = TERMINALS[turn % TERMINALS.length]!
      const heard = await line.insist('POST', `/pac/terminals/${tid}/transactions`, { body: SALE })
      full = heard.status >= 500
      if (full) deepEqual([heard.status, heard.headers['retry-after']], [503, '5'], heard.text)
      if (heard.status === 201) acknowledged.push({ tid, ...(JSON.parse(heard.text) as { requestId: string }) })
    }
    ok(acknowledged.length > 0)
    for (const { tid, requestId } of acknowledged)
      equal((await line.insist('GET', `/pac/terminals/${tid}/transactions/${requestId}`)).status, 200)
    equal((await gateway.stop()).code, 0)

    gateway.start()
    for (const { tid, requestId } of acknowledged) match(await resultOf(line, tid, requestId), /^[A-Z_]+$/)
    equal((await gateway.stop()).code, 0)
    await isHealthy(directory)
  },
)

test(
  'a gateway stopped under load answers pending requests, starts nothing unanswered, and exits with 0',
  PATIENCE,
  async () => {
    const { directory, gateway, moments, line } = openLine()
    gateway.start()
    const life = await gateway.up()
    // These tills keep sending requests while the gateway stops.
    const stubborn = createLine({ ...gateway, up: async () => life }, moments, KEY)
    const random = new SeededRandom(1)
    const unanswered: { readonly tid: string; readonly key: string }[] = []
    const rush = async (tid: string): Promise<void> => {
      for (;;) {
        const key = random.uuid()
        const askedBefore = !life.doomed
        const heard = await startOn(stubborn, tid, key)
        if (heard === null) {
          ok(!askedBefore, 'what was asked before the stop got no answer')
          unanswered.push({ tid, key })
          return
        }
        ok([201, 422, 423, 503].includes(heard.status), heard.text)
      }
    }
    const tills = Promise.all(TERMINALS.map(rush))
    // One event-loop turn later, so that requests already decided on are sent.
    await moments.come({ what: 'answer', count: 200, turns: 2, sinceStart: false })
    const { code, stderr } = await gateway.stop()
    equal(code, 0, stderr)
    await tills

    gateway.start()
    equal(unanswered.length, TERMINALS.length)
    for (const { tid, key } of unanswered) {
      const again = await startOn(line, tid, key)
      // It starts now or is refused now; it is not a replay.
      equal(again?.headers['idempotency-replayed'], undefined)
    }
    equal((await gateway.stop()).code, 0)
    await isHealthy(directory)
  },
)
