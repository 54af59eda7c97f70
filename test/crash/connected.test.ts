// test/crash/connected.test.ts — a live gateway is killed at steps of its conversations with terminals, an acquirer's host and a directory
// server, which misbehave. Nothing is charged twice, nothing is lost, and the books of both sides agree.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repetitions } from '../support/depth.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type Balance, booksOf, CONVERSATIONS, type Conversation } from './connected/conversations.ts'
import { checkCounter, spendEvening, toldOnline } from './connected/evening.ts'
import { type ConnectedTown, openConnectedTown } from './connected/town.ts'
import { cardNumbersIn } from './files.ts'

/** Steps of each conversation at which the gateway is killed; `CONNECTED_STEPS=200` tries them all, as `npm run test:long` does. */
const STEPS = repetitions('CONNECTED_STEPS', { usual: 1, long: 200 })
/** Deaths of an evening with everything at once. */
const DEATHS = repetitions('CONNECTED_DEATHS', { usual: 4, long: 60 })
const SEED = Number(process.env['CRASH_SEED'] ?? 1)
const MINUTE = 60_000

let town: ConnectedTown
beforeAll(async () => {
  town = await openConnectedTown()
}, 2 * MINUTE)
afterAll(() => town?.close())

const random = new SeededRandom(SEED)
const counted = { deaths: 0, conversations: 0 }

/** Holds a conversation. At a step, from 1, the gateway is killed, and started again. */
async function hold(conversation: Conversation, step: number | null) {
  const { gateway, steps } = town
  const prepared = await conversation.prepare(town)
  const before = steps.count
  const reached = step === null ? new Promise<never>(() => {}) : steps.stopAt(step)
  const holding = conversation.hold(town, prepared)
  const isKilled = await Promise.race([reached.then(() => true), holding.then(() => false), gateway.failure])
  if (isKilled) {
    await gateway.kill()
    steps.pass()
    gateway.start()
    counted.deaths += 1
  }
  const balance = await Promise.race([holding, gateway.failure])
  steps.pass()
  counted.conversations += 1
  return { balance, length: steps.count - before }
}

/** The steps to die at: all, or some at random. */
function chosen(length: number): readonly number[] {
  const all = Array.from({ length }, (_, index) => index + 1)
  if (STEPS >= length) return all
  return Array.from({ length: STEPS }, () => all.splice(random.integer(all.length), 1)[0] ?? 1)
}

function check({ name }: Conversation, { told, theirs, charges }: Balance, when: string): void {
  deepEqual({ told, isOnce: charges <= 1 }, { told: theirs, isOnce: true }, `${name}, ${when}`)
}

describe(`kill -9 of a live gateway (seed ${SEED})`, () => {
  for (const conversation of CONVERSATIONS)
    test(`during ${conversation.name}`, { timeout: (2 + STEPS) * MINUTE }, async () => {
      const { balance, length } = await hold(conversation, null)
      check(conversation, balance, 'without a death')
      deepEqual(balance.told, conversation.moves)
      ok(length > 0)
      for (const step of chosen(length)) {
        const when = `killed at step ${step} of ${length}`
        check(conversation, (await hold(conversation, step)).balance, when)
      }
    })

  test('while three terminals and two payers pay at once, and all peers misbehave', {
    timeout: (2 + DEATHS) * MINUTE,
  }, async () => {
    await town.host.plays({ next: [] })
    const { net } = await booksOf(town)
    const evening = await spendEvening(town, DEATHS, SEED)
    counted.deaths += DEATHS
    counted.conversations += evening.counter.length + evening.online.length
    checkCounter(evening)
    const told = toldOnline(evening)
    // A reversal may still be on its way.
    await expect.poll(async () => (await booksOf(town)).net - net, { timeout: MINUTE, interval: 100 }).toBe(told)
    // Each sale has an amount of its own: none is in the books twice.
    const standing = (await town.host.entries()).filter(({ kind, takenMinor }) => kind === 'charge' && takenMinor > 0)
    const ofEvening = standing.map(({ takenMinor }) => takenMinor).filter(amount => amount > 10_000)
    equal(new Set(ofEvening).size, ofEvening.length)
  })

  test('leaves no card number behind', async () => {
    const { code, stderr } = await town.gateway.stop()
    deepEqual([code, stderr], [0, stderr])
    deepEqual(cardNumbersIn(town.directory), [])
    ok(counted.deaths > 0)
    process.stdout.write(`${counted.conversations} conversations, ${counted.deaths} deaths\n`)
  })
})
