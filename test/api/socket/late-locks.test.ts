// test/api/socket/late-locks.test.ts — a POS provider that answers lock requests late, while others pay at the same table:
// nothing is paid twice, and every granted lock is released. ADR 16.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { TillMessage } from '../../../src/domain/tables/pos-message.ts'
import type { PosConnection, TillAnswer, TillLock } from '../../../src/services/tables/pos-connections.ts'
import { allTables, at } from '../../support/restaurant.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const ONE = '22160001'
const TWO = '22160002'
const NOBODY: TillAnswer<never> = { answer: 'none', says: null }

/** A pending lock request, answered by the test. */
interface Question {
  readonly tid: string
  answer(amountMinor: number): Promise<void>
  /** The request times out; a later confirmation is too late. */
  expire(): Promise<void>
  confirmLate(): Promise<void>
}

/** A POS provider of the account `demo` with the table `Bar`. The test gives its answers. */
function slowTill(shop: Shop) {
  const questions: Question[] = []
  const heard: string[] = []
  const payments: number[] = []
  const line: PosConnection = {
    wantsFinalBill: false,
    tables: async () => ({ answer: 'given', value: { names: ['Bar'], currency: 'GBP' } }),
    bill: async () => NOBODY,
    lock({ tid }, _, tooLate) {
      heard.push(`asked by ${tid}`)
      return new Promise<TillAnswer<TillLock>>(resolve => {
        const say = async (answer: TillAnswer<TillLock>) => {
          resolve(answer)
          await shop.settle()
        }
        questions.push({
          tid,
          answer: amountMinor => say({ answer: 'given', value: { confirmed: true, amountMinor, currency: 'GBP' } }),
          expire: () => say(NOBODY),
          async confirmLate() {
            tooLate()
            await shop.settle()
          },
        })
      })
    },
    notify(message: TillMessage) {
      heard.push(`${message.type} of ${message.tid}`)
      if (message.type === 'payments') payments.push(...message.payments.map(({ amountMinor }) => amountMinor))
      return true
    },
  }
  const connect = async () => {
    shop.gateway.posConnections.connect('demo', line)
    await shop.settle()
  }
  return { questions, heard, payments, connect, disconnect: () => shop.gateway.posConnections.disconnect('demo', line) }
}

async function openBar() {
  const shop = await openShop()
  const till = slowTill(shop)
  await till.connect()
  const one = at(shop, ONE)
  const two = at(shop, TWO)
  for (const each of [one, two]) {
    await each.press({ key: 'waiter', waiterId: '1' })
    await each.until(({ keys }) => keys.includes('choose_table'))
  }
  const ask = (who: typeof one) => who.press({ key: 'choose_table', table: 'Bar' })
  /** The first terminal holds the table with 30.00 due; the till unlocks it, and the second terminal requests the lock. */
  const askBoth = async () => {
    await ask(one)
    await till.questions[0]!.answer(3_000)
    await one.until(({ keys }) => keys.includes('pay'))
    await ask(two)
    equal(till.questions[1]?.tid, TWO)
  }
  return { shop, till, one, two, ask, askBoth }
}

test('a bill that is paid while a lock request is pending is not paid again', async () => {
  const { shop, till, one, two, askBoth } = await openBar()
  await askBoth()
  await one.press({ key: 'pay_other' })
  await one.until(({ waiter }) => waiter === null)
  deepEqual(till.payments, [3_000])
  await till.questions[1]!.answer(3_000)
  // Released and requested again, now that the till knows the payment.
  deepEqual(till.heard.slice(-2), [`unlock of ${TWO}`, `asked by ${TWO}`])
  await till.questions[2]!.answer(0)
  await two.until(({ waiter }) => waiter?.table === 'Bar' || waiter?.message !== '')
  deepEqual(
    (await allTables(shop)).map(({ amountMinor, payments }) => [amountMinor, payments.length]),
    [
      [3_000, 1],
      [0, 0],
    ],
  )
})

test('after a payment of a share during a lock request the till is asked again', async () => {
  const { till, one, two, askBoth } = await openBar()
  await askBoth()
  await one.press({ key: 'pay_other', amountMinor: 1_000 })
  await one.until(({ waiter }) => waiter?.openMinor === 2_000)
  await till.questions[1]!.answer(3_000)
  deepEqual(till.heard.slice(-3), [`unlock of ${TWO}`, `payments of ${ONE}`, `asked by ${TWO}`])
  await till.questions[2]!.answer(2_000)
  const { waiter } = await two.until(({ keys }) => keys.includes('pay'))
  equal(waiter?.openMinor, 2_000)
})

test('during a card payment no other terminal gets the table, and the lock is released', async () => {
  const { shop, till, one, two, askBoth } = await openBar()
  await askBoth()
  await one.press({ key: 'pay' })
  await one.until(({ keys }) => keys.includes('present_card'))
  await till.questions[1]!.answer(3_000)
  equal(till.heard.at(-1), `unlock of ${TWO}`)
  const { waiter } = await two.until(({ waiter: view }) => view?.message !== '')
  equal(waiter?.table, null)
  const [context, ...others] = await allTables(shop)
  deepEqual([context?.lock?.by, context?.begun.length, others], [ONE, 1, []])
})

test('of two concurrent confirmations the first gets the table, and the till is asked again for the second', async () => {
  const { shop, till, one, two, ask } = await openBar()
  await ask(one)
  await ask(two)
  const [first, second] = till.questions
  await Promise.all([first!.answer(3_000), second!.answer(3_000)])
  equal((await allTables(shop)).length, 1)
  deepEqual(till.heard.slice(-2), [`unlock of ${TWO}`, `asked by ${TWO}`])
  await till.questions[2]!.answer(3_000)
  const visits = await allTables(shop)
  deepEqual(
    visits.map(({ state, lock }) => [state, lock?.by]),
    [
      ['closed', undefined],
      ['open', TWO],
    ],
  )
})

test('a lock is given up after the table has changed during each of three requests', async () => {
  const { till, one, two, askBoth } = await openBar()
  await askBoth()
  for (let time = 1; time <= 3; time += 1) {
    await one.press({ key: 'pay_other', amountMinor: 100 })
    await one.until(({ waiter }) => waiter?.openMinor === 3_000 - time * 100)
    await till.questions[time]!.answer(3_000 - (time - 1) * 100)
  }
  equal(till.questions.length, 4)
  equal(till.heard.at(-1), `unlock of ${TWO}`)
  const { waiter } = await two.until(({ waiter: view }) => view?.message !== '')
  equal(waiter?.table, null)
})

test('a late confirmation does not release the lock of a newer request', async () => {
  const { shop, till, one, ask } = await openBar()
  await ask(one)
  await till.questions[0]!.expire()
  await one.until(({ waiter }) => waiter?.message !== '')
  await ask(one)
  equal(till.questions.length, 2)
  await till.questions[0]!.confirmLate()
  equal(till.heard.includes(`unlock of ${ONE}`), false)
  await till.questions[1]!.answer(3_000)
  await one.until(({ keys }) => keys.includes('pay'))
  equal(till.heard.includes(`unlock of ${ONE}`), false)
  equal((await allTables(shop)).length, 1)
})

test('a late confirmation is released when a newer request got no lock', async () => {
  const { till, one, two, ask } = await openBar()
  await ask(one)
  await till.questions[0]!.expire()
  await ask(two)
  await till.questions[0]!.confirmLate()
  equal(till.heard.at(-1), `asked by ${TWO}`)
  await till.questions[1]!.expire()
  equal(till.heard.at(-1), `unlock of ${ONE}`)
})

test('pending messages are sent to a till before new requests', async () => {
  const { till, one, two, ask, askBoth } = await openBar()
  await askBoth()
  await till.questions[1]!.expire()
  till.disconnect()
  await one.press({ key: 'pay_other' })
  await one.until(({ waiter }) => waiter === null)
  await till.connect()
  await ask(two)
  const told = till.heard.indexOf(`payments of ${ONE}`)
  ok(told > 0 && told < till.heard.lastIndexOf(`asked by ${TWO}`), till.heard.join())
})

test('a table session is opened and locked in one commit', async () => {
  const { shop, till, one, ask } = await openBar()
  const versions: (number | undefined)[] = []
  const { commit } = shop.store
  shop.store.commit = async change => {
    if (change.kind === 'table') versions.push(change.events.length)
    return commit.call(shop.store, change)
  }
  await ask(one)
  await till.questions[0]!.answer(3_000)
  deepEqual(versions, [2])
})

/** The first terminal holds the table, disconnects, and requests the lock again while its old lock expires. */
async function askWhileItLapses() {
  const bar = await openBar()
  const { shop, till, one, ask } = bar
  await ask(one)
  await till.questions[0]!.answer(3_000)
  await one.until(({ keys }) => keys.includes('pay'))
  await one.press({ key: 'unplug' })
  // The lease in tests is 15 minutes.
  await shop.clock.advance(899_000)
  await one.press({ key: 'plug_in' })
  await one.press({ key: 'waiter', waiterId: '1' })
  await one.until(({ keys }) => keys.includes('choose_table'))
  await ask(one)
  equal(till.questions.length, 2)
  await shop.clock.advance(5_000)
  deepEqual(
    (await allTables(shop)).map(({ state }) => state),
    ['closed'],
  )
  return bar
}

test('a lock that expires during a new request of its terminal is not released under the new lock', async () => {
  const { shop, till, one } = await askWhileItLapses()
  await till.questions[1]!.answer(3_000)
  await one.until(({ keys }) => keys.includes('pay'))
  await shop.clock.advance(60_000)
  equal(till.heard.includes(`unlock of ${ONE}`), false, till.heard.join())
  await one.press({ key: 'leave' })
  await one.until(({ waiter }) => waiter === null)
  deepEqual(till.heard.slice(-1), [`unlock of ${ONE}`])
})

test('an expired lock is released when the new request gets no lock', async () => {
  const { shop, till } = await askWhileItLapses()
  await till.questions[1]!.expire()
  await shop.clock.advance(60_000)
  deepEqual(till.heard.slice(-1), [`unlock of ${ONE}`])
})
