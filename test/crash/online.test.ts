// test/crash/online.test.ts — web shops under load while the built program is killed by SIGKILL at random moments. At the
// end each payment has one outcome, and the acquirer's ledger agrees.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'
import { emptyDirectory, runJson } from '../cli/tollgate.ts'
import { moneyOfAccount } from '../support/acquirer-book.ts'
import { repetitions } from '../support/depth.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { cardNumbersIn, integrityOf } from './files.ts'
import { createLine, type Line } from './line.ts'
import { createMoments, type Moments } from './moments.ts'
import { createMortalGateway, type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'

/** `CRASH_ONLINE_KILLS=200` runs longer. */
const KILLS = repetitions('CRASH_ONLINE_KILLS', { usual: 6, long: 12 })
const SEED = Number(process.env['CRASH_SEED'] ?? 1)
const PAYERS = 6
const ADDRESS = 'http://pay.example:4020'

const CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
const DECLINED = { cardName: 'Jack Lewis', cardNumber: '4921810000009076', expiryDate: '12 / 30', cV2: '875' }

/** Goes to its bank, code 1234. */
const CHALLENGED = { cardName: 'John Watson', cardNumber: '4456530000001096', expiryDate: '12 / 30', cV2: '020' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

interface Entry {
  readonly token: string
  readonly amountMinor: number
  readonly sign: 1 | -1
  /** Status codes that were answered. No later answer may differ. */
  readonly heard: Set<number>
}

interface Town {
  readonly gateway: MortalGateway
  readonly line: Line
  readonly bearer: Readonly<Record<string, string>>
  readonly book: Entry[]
}

test(`every online payment outlives ${KILLS} deaths by SIGKILL (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const directory = emptyDirectory()
  const gateway = createMortalGateway(directory, {
    TOLLGATE_PUBLIC_URL: ADDRESS,
    // There is too little time between two kills for a rate limit.
    TOLLGATE_SHOP_CALLS_PER_SECOND: '0',
  })
  const moments = createMoments(directory)
  gateway.start()
  await gateway.up()
  const { token } = await runJson<{ readonly token: string }>(['token', '--data', directory, '--audience', ADDRESS])
  const line = createLine(gateway, moments, 'demo-api-key')
  const town: Town = { gateway, line, bearer: { authorization: `Bearer ${token}` }, book: [] }
  await gateway.kill()
  await liveThrough(town, moments)

  const statuses = new Map<Entry, number>()
  for (const entry of town.book) statuses.set(entry, await finalStatus(town, entry))
  deepEqual(cardNumbersIn(directory), [])
  const { code, stderr } = await gateway.stop()
  equal(code, 0, stderr)

  for (const [{ heard, token: paid }, status] of statuses) for (const each of heard) equal(status, each, paid)
  const told = [...statuses].reduce(
    (sum, [{ sign, amountMinor }, status]) => (status === 0 ? sum + sign * amountMinor : sum),
    0,
  )
  const memory = createSqliteMemory(join(directory, 'sandbox.db'))
  equal(moneyOfAccount(memory, 'demo'), told)
  await memory.close()
  equal(integrityOf(directory, 'tollgate.db'), 'ok')
  moments.close()
  const counted = [0, 5, 30, 404].map(
    status => `${[...statuses.values()].filter(each => each === status).length} × ${status}`,
  )
  process.stdout.write(`${statuses.size} online payments over ${KILLS} kills: ${counted.join(', ')}\n`)
  ok([...statuses.values()].filter(status => status === 0).length > KILLS)
})

async function liveThrough(town: Town, moments: Moments): Promise<void> {
  const { gateway } = town
  const random = new SeededRandom(SEED)
  let open = true
  const killing = (async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      gateway.start()
      await gateway.up()
      const [what = 0, count = 0, turns = 0] = random.bytes(3)
      const envelope = (['answer', 'request', 'store_change', 'world_change'] as const)[what % 4] ?? 'answer'
      const moment = { what: envelope, count: 20 + (count % 120), turns: turns % 4, sinceStart: false }
      await gateway.patiently(`the moment ${JSON.stringify(moment)}`, PATIENCE_MS.moment, moments.come(moment))
      await gateway.kill()
    }
    gateway.start()
    await gateway.up()
    open = false
  })()
  const payers = Array.from({ length: PAYERS }, async (_, index) => {
    const chance = new SeededRandom(SEED * 1_000 + index)
    for (let number = 0; open; number += 1) await payOnce(town, `P${index}-${number}`, chance)
  })
  await Promise.race([Promise.all([killing, ...payers]), gateway.failure])
}

/** One order: a token, a payment, and sometimes a partial refund. */
async function payOnce(town: Town, orderId: string, chance: SeededRandom): Promise<void> {
  const [luck = 0, amount = 0] = chance.bytes(2)
  const waitPreExecute = luck % 5 === 0
  const sale = await makeToken(town, { orderId, amountMinor: 1_000 + amount, type: 'SALE', waitPreExecute })
  if (sale === null) return
  const card = luck % 7 === 0 ? DECLINED : luck % 4 === 0 ? CHALLENGED : CARD
  const answer = await town.line.ask('POST', `/api/payments/${sale.token}`, { body: card })
  note(sale, answer?.text)
  const status = await finalStatus(town, sale)
  if (status !== 0 || luck % 3 !== 0) return
  const { text } = await town.line.insist('GET', `/v1/payments/${sale.token}`, { headers: town.bearer })
  const { crossReference } = JSON.parse(text) as { readonly crossReference: string }
  const refund = await makeToken(town, {
    orderId: `${orderId}-R`,
    amountMinor: 500,
    type: 'REFUND',
    waitPreExecute: false,
  })
  if (refund === null) return
  const path = `/v1/cross-reference-payments/${refund.token}`
  note(refund, (await town.line.ask('POST', path, { headers: town.bearer, body: { crossReference } }))?.text)
  await finalStatus(town, refund)
}

interface Wish {
  readonly orderId: string
  readonly amountMinor: number
  readonly type: 'SALE' | 'REFUND'
  readonly waitPreExecute: boolean
}

/** Null when the answer with the token was lost: the repeated request is refused because the id is taken, as it must be. */
async function makeToken(
  { line, bearer, book }: Town,
  { orderId, amountMinor, type, waitPreExecute }: Wish,
): Promise<Entry | null> {
  const body = {
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: String(amountMinor), transactionType: type },
    ...{ orderId, merchantTransactionId: orderId, waitPreExecute },
  }
  const first = await line.ask('POST', '/v1/access-tokens', { headers: bearer, body })
  const made = first ?? (await line.insist('POST', '/v1/access-tokens', { headers: bearer, body }))
  if (made.status === 400) {
    equal(made.text, 'merchantTransactionId already used')
    return null
  }
  equal(made.status, 200, made.text)
  const { id } = JSON.parse(made.text) as { readonly id: string }
  const entry: Entry = { token: id, amountMinor, sign: type === 'SALE' ? 1 : -1, heard: new Set() }
  book.push(entry)
  return entry
}

/** The payer's page may have lost the answer with the bank's address: it pays again with the same card, and goes there. */
async function passBank({ line }: Town, { token }: Entry): Promise<void> {
  const again = await line.ask('POST', `/api/payments/${token}`, { body: CHALLENGED })
  if (again === null) return
  equal(again.status, 200, again.text)
  const { md } = JSON.parse(again.text) as { readonly md: string }
  await line.insist('POST', '/acs/challenge/answer', { headers: FORM, body: `MD=${md}&code=1234` })
  await line.ask('POST', `/mobile/payments/${token}/three-ds-complete`, { body: { transactionId: md } })
}

function note({ heard }: Entry, text: string | undefined): void {
  if (text === undefined || !text.startsWith('{')) return
  const { statusCode } = JSON.parse(text) as { readonly statusCode: number }
  if ([0, 4, 5, 20, 30].includes(statusCode)) heard.add(statusCode)
}

/** Reads the status until the payment has ended; goes to its bank, and resumes it when it pauses. 404: it never arrived. */
function finalStatus(town: Town, entry: Entry): Promise<number> {
  return town.gateway.patiently(`the end of payment ${entry.token}`, PATIENCE_MS.payment, askForStatus(town, entry))
}

async function askForStatus(town: Town, entry: Entry): Promise<number> {
  for (;;) {
    const path = `/v1/payments/${entry.token}`
    const { status, text } = await town.line.insist('GET', path, { headers: town.bearer })
    if (status === 404) return 404
    equal(status, 200, text)
    const { statusCode } = JSON.parse(text) as { readonly statusCode: number }
    if (statusCode === 3) await passBank(town, entry)
    if (statusCode === 99) note(entry, (await town.line.ask('POST', `${path}/resume`, { headers: town.bearer }))?.text)
    if ([0, 4, 5, 20, 30].includes(statusCode)) {
      entry.heard.add(statusCode)
      return statusCode
    }
  }
}
