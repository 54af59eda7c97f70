// test/contract/acquirer.suite.ts — contract of every acquirer: an order id is one order, a decline is an answer, and a
// reversed order stays reversed, in any sequence of calls.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, describe, test } from 'vitest'
import { money } from '../../src/domain/money.ts'
import type { Acquirer, AcquirerOrder } from '../../src/engine/ports/acquirer.ts'

export interface AcquirerUnderTest {
  readonly acquirer: Acquirer
  /** Cards by the issuer's answer. */
  readonly cards: { readonly approved: string; readonly declined: string }
  /** Money that an order has moved, from the acquirer's own ledger: positive to the shop, negative to the cardholder. */
  moneyOf(account: string, orderId: string): number | Promise<number>
  /** The same acquirer after a crash of the gateway. */
  afterCrash(): AcquirerUnderTest | Promise<AcquirerUnderTest>
  close(): Promise<void>
}

/** Runs the whole contract. `make` creates a new acquirer for each test. */
export function exerciseAcquirer(name: string, make: () => AcquirerUnderTest | Promise<AcquirerUnderTest>): void {
  describe(`acquirer: ${name}`, () => {
    let opened: AcquirerUnderTest[] = []
    const open = async () => {
      const under = await make()
      opened.push(under)
      return under
    }
    afterEach(async () => {
      for (const under of opened) await under.close()
      opened = []
    })
    const orderOn = (cardToken: string, orderId = 'order 1'): AcquirerOrder => ({
      orderId,
      account: 'demo',
      amount: money(2599, 'GBP'),
      cardToken,
    })

    test('an approved charge has an authorisation code and a reference, and moves its amount', async () => {
      const { acquirer, cards, moneyOf } = await open()
      const answer = await acquirer.authorise(orderOn(cards.approved), 'charge')
      ok(answer.answer === 'approved')
      match(answer.authCode, /^[0-9A-Z]{1,20}$/)
      ok(answer.reference !== '')
      equal(await moneyOf('demo', 'order 1'), 2599)
    })

    test('a decline is an answer with a reason, and no money moves', async () => {
      const { acquirer, cards, moneyOf } = await open()
      const answer = await acquirer.authorise(orderOn(cards.declined), 'charge')
      ok(answer.answer === 'declined')
      match(answer.reason, /^[a-z_]+$/)
      equal(await moneyOf('demo', 'order 1'), 0)
    })

    test('a repeated order gets the same answer and moves no more money, for each kind', async () => {
      const { acquirer, cards, moneyOf } = await open()
      const kinds = [
        (order: AcquirerOrder) => acquirer.authorise(order, 'charge'),
        (order: AcquirerOrder) => acquirer.authorise(order, 'hold'),
        (order: AcquirerOrder) => acquirer.refund(order),
        (order: AcquirerOrder) => acquirer.verify(order),
      ]
      for (const [index, ask] of kinds.entries()) {
        const order = orderOn(cards.approved, `kind ${index}`)
        const first = await ask(order)
        deepEqual(await ask(order), first)
        deepEqual(await ask(order), first)
      }
      deepEqual(await Promise.all(kinds.map((_, index) => moneyOf('demo', `kind ${index}`))), [2599, 0, -2599, 0])
    })

    test('a hold is captured once, up to its amount, and a repeated capture changes nothing', async () => {
      const { acquirer, cards, moneyOf } = await open()
      const held = await acquirer.authorise(orderOn(cards.approved, 'hold'), 'hold')
      ok(held.answer === 'approved')
      const capture = (orderId: string, amountMinor: number) =>
        acquirer.capture({
          ...orderOn(cards.approved, orderId),
          amount: money(amountMinor, 'GBP'),
          authCode: held.authCode,
          preAuthorisedTotal: null,
        })
      equal((await capture('too much', 2600)).answer, 'declined')
      const taken = await capture('taken', 2000)
      equal(taken.answer, 'approved')
      deepEqual(await capture('taken', 2000), taken)
      equal((await capture('once more', 1)).answer, 'declined')
      deepEqual(
        await Promise.all(['hold', 'too much', 'taken', 'once more'].map(id => moneyOf('demo', id))),
        [0, 0, 2000, 0],
      )
    })

    test('a reversed order moves no money, can be reversed twice, and is refused from then on', async () => {
      const { acquirer, cards, moneyOf } = await open()
      await acquirer.authorise(orderOn(cards.approved, 'charge'), 'charge')
      await acquirer.refund(orderOn(cards.approved, 'refund'))
      for (const orderId of ['charge', 'refund']) {
        equal(await acquirer.reverse({ orderId, account: 'demo' }), 'reversed')
        equal(await acquirer.reverse({ orderId, account: 'demo' }), 'reversed')
        equal(await moneyOf('demo', orderId), 0)
      }
      equal((await acquirer.authorise(orderOn(cards.approved, 'charge'), 'charge')).answer, 'declined')
      equal(await moneyOf('demo', 'charge'), 0)
    })

    test('an order that is reversed before it arrives is refused when it arrives', async () => {
      const { acquirer, cards, moneyOf } = await open()
      equal(await acquirer.reverse({ orderId: 'order 1', account: 'demo' }), 'reversed')
      const answer = await acquirer.authorise(orderOn(cards.approved), 'charge')
      deepEqual(answer.answer === 'declined' && answer.reason, 'do_not_honour')
      equal(await moneyOf('demo', 'order 1'), 0)
    })

    test('an order id belongs to its account: no other account can reverse it', async () => {
      const { acquirer, cards, moneyOf } = await open()
      await acquirer.authorise(orderOn(cards.approved), 'charge')
      await acquirer.reverse({ orderId: 'order 1', account: 'other' })
      equal(await moneyOf('demo', 'order 1'), 2599)
    })

    test('after a crash of the gateway the acquirer still knows every order', async () => {
      const before = await open()
      const first = await before.acquirer.authorise(orderOn(before.cards.approved, 'charge'), 'charge')
      await before.acquirer.reverse({ orderId: 'never came', account: 'demo' })
      const held = await before.acquirer.authorise(orderOn(before.cards.approved, 'hold'), 'hold')
      const after = await before.afterCrash()
      opened.push(after)
      deepEqual(await after.acquirer.authorise(orderOn(after.cards.approved, 'charge'), 'charge'), first)
      equal((await after.acquirer.refund(orderOn(after.cards.approved, 'never came'))).answer, 'declined')
      ok(held.answer === 'approved')
      const capture = { ...orderOn(after.cards.approved, 'capture'), preAuthorisedTotal: money(2599, 'GBP') }
      equal((await after.acquirer.capture({ ...capture, authCode: held.authCode })).answer, 'approved')
      equal(await after.moneyOf('demo', 'charge'), 2599)
    })
  })
}
