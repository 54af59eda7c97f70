// test/unit/simulator/by-hand.test.ts — terminals operated by keys:
// their screens, active keys and outcomes.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import type { TransactionRequest } from '../../../src/domain/counter/transaction-events.ts'
import { decimalOf, totalOf } from '../../../src/domain/money.ts'
import { TEST_CARDS, testCardOf } from '../../../src/simulator/cards/test-cards.ts'
import type { ScreenKey } from '../../../src/simulator/terminals/screens.ts'
import { aTerminal, openSimulatedShop } from '../../support/simulated-shop.ts'

type Way = Extract<ScreenKey, { key: 'present_card' }>['how']

async function atTheCounter(request: Partial<TransactionRequest> = {}, terminal: Terminal = aTerminal('22160001')) {
  const shop = await openSimulatedShop()
  const requestId = await shop.gateway.start(terminal, { amountMinor: 2599, ...request })
  await shop.clock.advance(0)
  const press = async (key: ScreenKey) => {
    const pressed = await shop.terminals.press(terminal, key)
    await shop.clock.advance(0)
    return pressed
  }
  return {
    ...shop,
    terminal,
    requestId,
    press,
    present: (card: string, how: Way) => press({ key: 'present_card', card: `sim-${card}`, how }),
    pin: (digits = '1234') => press({ key: 'pin', digits }),
    screen: () => shop.terminals.screenOf(terminal),
    told: () => shop.gateway.notifications(requestId).replace('TRANSACTION_STARTED ', ''),
    record: () => shop.gateway.record(requestId),
    end: () => {
      const { result, card } = shop.gateway.record(requestId)
      return [result, card.paymentMethod, card.cardholderVerificationMethod].join(' ')
    },
  }
}

test('chip and PIN: the screen shows each step until the card is removed', async () => {
  const { press, present, pin, screen, end, requestId } = await atTheCounter()
  deepEqual(screen(), {
    connected: true,
    lines: ['SALE', 'GBP 25.99', 'PRESENT CARD'],
    keys: ['present_card', 'cancel', 'unplug', 'take_paper_out'],
    cardInSlot: false,
    paper: true,
    requestId,
    waiter: null,
  })
  equal(await present('mastercard-debit', 'insert'), 'pressed')
  deepEqual([screen().lines.at(-1), screen().cardInSlot], ['PIN ENTRY', true])
  equal(await pin(), 'pressed')
  deepEqual([screen().lines.at(-1), screen().keys.includes('remove_card')], ['REMOVE CARD', true])
  equal(await press({ key: 'remove_card' }), 'pressed')
  equal(end(), 'SUCCESSFUL ICC_CHIP PIN')
  deepEqual(screen().lines, ['LAST: SUCCESSFUL', 'READY'])
})

test.each([0, 1_000, 7_401])(
  'screen and contactless limit are those of the sum with a gratuity of %i',
  async gratuityMinor => {
    for (const cashbackMinor of [0, 1_000])
      for (const cashbackAllowed of [true, false])
        for (const card of ['visa-debit', 'mastercard-debit', 'visa-credit', 'visa-phone']) {
          const terminal = aTerminal('22160001', { gratuity: true, cashbackAllowed })
          const at = await atTheCounter({ amountMinor: 2_600, cashbackMinor }, terminal)
          await at.press({ key: 'gratuity', amountMinor: gratuityMinor })
          const offered = 2_600 + gratuityMinor + (cashbackAllowed ? cashbackMinor : 0)
          equal(at.screen().lines[1], `GBP ${decimalOf(offered)}`)
          await at.present(card, 'tap')
          const paidOut = cashbackAllowed && testCardOf(`sim-${card}`)?.cashback === true ? cashbackMinor : 0
          const due = 2_600 + gratuityMinor + paidOut
          const mayTap = due <= 10_000 || card === 'visa-phone'
          equal(at.told().includes('INSERT_CARD'), !mayTap, `${card} ${due}`)
          if (!mayTap) await at.present(card, 'insert')
          equal(at.screen().lines[1], at.record().progress === 'finished' ? 'READY' : `GBP ${decimalOf(due)}`)
          if (at.screen().keys.includes('pin')) await at.pin()
          await at.press({ key: 'remove_card' })
          equal(totalOf(at.record().amounts), due)
        }
  },
)

test('an inactive key is refused and changes nothing', async () => {
  const { press, present, pin, screen, told } = await atTheCounter()
  const [before, toldBefore] = [screen(), told()]
  const refused = [
    await pin(),
    await press({ key: 'remove_card' }),
    await press({ key: 'gratuity', amountMinor: 100 }),
    await press({ key: 'plug_in' }),
    await press({ key: 'put_paper_in' }),
    await present('no-such-card', 'tap'),
  ]
  deepEqual(new Set(refused), new Set(['refused']))
  deepEqual([screen(), told()], [before, toldBefore])
})

test('a card can be tapped up to the contactless limit, a phone above it too', async () => {
  const small = await atTheCounter({ amountMinor: 10_000 })
  await small.present('visa-debit', 'tap')
  equal(small.end(), 'SUCCESSFUL CONTACTLESS NONE')
  const large = await atTheCounter({ amountMinor: 10_001 })
  await large.present('visa-debit', 'tap')
  equal(large.told(), 'PRESENT_CARD INSERT_CARD PRESENT_CARD')
  equal(large.screen().lines.at(-1), 'INSERT CARD')
  const phone = await atTheCounter({ amountMinor: 10_001 })
  await phone.present('visa-phone', 'tap')
  equal(phone.end(), 'SUCCESSFUL CONTACTLESS DEVICE')
})

test('a chip card can be swiped after three failed chip reads, and then needs a signature', async () => {
  const { present, screen, told, end, gateway, requestId, clock } = await atTheCounter()
  await present('visa-broken-chip', 'swipe')
  for (let tries = 0; tries < 3; tries++) await present('visa-broken-chip', 'insert')
  equal(told(), `PRESENT_CARD${' INSERT_CARD PRESENT_CARD'.repeat(4)}`)
  equal(screen().lines.at(-1), 'SWIPE CARD')
  await present('visa-broken-chip', 'swipe')
  equal(screen().lines.at(-1), 'SIGNATURE VERIFICATION')
  await gateway.execute(requestId, { type: 'decide_signature', accepted: true })
  await clock.advance(0)
  equal(end(), 'SUCCESSFUL SWIPED SIGNATURE')
})

test('a phone has neither stripe nor chip', async () => {
  const { present, told } = await atTheCounter()
  await present('visa-phone', 'swipe')
  await present('visa-phone', 'insert')
  equal(told(), 'PRESENT_CARD BAD_SWIPE PRESENT_CARD RE_PRESENT_CARD PRESENT_CARD')
})

const slipOf = ({ receipts }: TerminalTransaction) => receipts.CUSTOMER.map(({ value }) => value)

test.each([
  ['visa-declined', 2599, 'PIN VERIFIED'],
  ['visa-insufficient-funds', 2599, 'PIN VERIFIED'],
  ['visa-lost-or-stolen', 2599, 'PIN VERIFIED'],
  // This amount makes the issuer refuse the PIN.
  ['visa-debit', 90_000_55, 'PIN NOT VERIFIED'],
])('the slip of a payment declined for %s has its verification', async (card, amountMinor, line) => {
  const { press, present, pin, record } = await atTheCounter({ amountMinor })
  await present(card, 'insert')
  await pin()
  await press({ key: 'remove_card' })
  equal(record().result, 'DECLINED')
  ok(slipOf(record()).includes(line))
})

test('after three wrong PINs the card declines offline', async () => {
  const { present, pin, told, end, acquirer, record } = await atTheCounter()
  await present('visa-debit', 'insert')
  for (const digits of ['1', '4321', '0000']) await pin(digits)
  equal(told(), 'PRESENT_CARD PLEASE_WAIT PIN_ENTRY PIN_ENTRY PIN_ENTRY DECLINED_BY_CARD TRANSACTION_FINISHED')
  equal(end(), 'DECLINED ICC_CHIP PIN')
  deepEqual(acquirer.ledger.list('demo'), [])
  ok(slipOf(record()).includes('PIN NOT VERIFIED'))
})

test('a right PIN after two wrong ones is accepted', async () => {
  const { present, pin, press, end } = await atTheCounter()
  await present('visa-debit', 'insert')
  for (const digits of ['1', '4321', '1234']) await pin(digits)
  await press({ key: 'remove_card' })
  equal(end(), 'SUCCESSFUL ICC_CHIP PIN')
})

test('removing the card too early fails the payment and reverses an authorisation', async () => {
  const early = await atTheCounter()
  await early.present('visa-debit', 'insert')
  await early.press({ key: 'remove_card' })
  equal(early.end(), 'UNSUCCESSFUL ICC_CHIP PIN')
  ok(early.told().endsWith('PIN_ENTRY CARD_ERROR TRANSACTION_FINISHED'))

  // The issuer's answer is lost, so the terminal still waits when the card is removed.
  const online = await atTheCounter({ amountMinor: 9_000_068 })
  await online.present('visa-debit', 'insert')
  await online.pin()
  equal(online.screen().lines.at(-1), 'CONNECTION MADE')
  await online.press({ key: 'remove_card' })
  const { result, authorisation, authorisationId } = online.record()
  deepEqual([result, authorisation], ['UNSUCCESSFUL', 'reversed'])
  equal(online.acquirer.ledger.moneyOf('demo', authorisationId ?? ''), 0)
})

test('the cancel key works until the PIN is entered', async () => {
  const atCard = await atTheCounter()
  await atCard.press({ key: 'cancel' })
  equal(atCard.end(), 'CANCELLED UNKNOWN UNKNOWN')
  const atPin = await atTheCounter()
  await atPin.present('visa-debit', 'insert')
  await atPin.press({ key: 'cancel' })
  equal(atPin.end(), 'CANCELLED ICC_CHIP PIN')
})

test('a payment without a PIN is cancelled after the time limit', async () => {
  const { present, clock, end } = await atTheCounter()
  await present('visa-debit', 'insert')
  await clock.advance(60_000)
  equal(end(), 'CANCELLED ICC_CHIP PIN')
})

test('the gratuity is asked for before the card and can be left out', async () => {
  const terminal = aTerminal('22160001', { gratuity: true })
  const generous = await atTheCounter({}, terminal)
  equal(generous.screen().lines.at(-1), 'ADD A GRATUITY')
  equal(await generous.press({ key: 'gratuity', amountMinor: -1 }), 'refused')
  await generous.press({ key: 'gratuity', amountMinor: 401 })
  await generous.present('visa-debit', 'tap')
  deepEqual([generous.record().amounts.gratuityMinor, generous.told().split(' ')[0]], [401, 'PRESENT_CARD'])
  const busy = await atTheCounter({}, terminal)
  await busy.clock.advance(60_000)
  equal(busy.screen().lines.at(-1), 'PRESENT CARD')
  const leaving = await atTheCounter({}, aTerminal('22160002', { gratuity: true }))
  await leaving.press({ key: 'gratuity', amountMinor: 401 })
  await leaving.press({ key: 'cancel' })
  deepEqual(leaving.record().amounts, { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 0 })
})

test('without the cardholder the card number can only be keyed', async () => {
  const { present, screen, told, end, record } = await atTheCounter({ cardholderNotPresent: true })
  equal(screen().lines.at(-1), 'TYPE THE CARD NUMBER')
  equal(await present('visa-debit', 'insert'), 'refused')
  equal(await present('visa-debit', 'keyed'), 'pressed')
  equal(told(), 'PLEASE_WAIT CONNECTING CONNECTION_MADE APPROVED TRANSACTION_FINISHED')
  equal(end(), 'SUCCESSFUL KEYED NONE')
  const { applicationId, applicationLabel, primaryAccountNumberSequence, dateOfStart } = record().card
  deepEqual([applicationId, applicationLabel, primaryAccountNumberSequence, dateOfStart], ['', '', '', ''])
})

test('a refund to a chip card prompts for its removal and a signature', async () => {
  const { present, press, told, gateway, requestId, clock, end } = await atTheCounter({ transactionType: 'REFUND' })
  await present('visa-debit', 'insert')
  ok(told().endsWith('PLEASE_WAIT REMOVE_CARD'))
  await press({ key: 'remove_card' })
  ok(told().endsWith('CONNECTION_MADE SIGNATURE_VERIFICATION'))
  await gateway.execute(requestId, { type: 'decide_signature', accepted: true })
  await clock.advance(0)
  equal(end(), 'SUCCESSFUL ICC_CHIP SIGNATURE')
})

test('missing paper is reported, except by a terminal that does not print', async () => {
  const during = await atTheCounter()
  await during.press({ key: 'take_paper_out' })
  equal(during.told(), 'PRESENT_CARD REPLACE_PAPER')
  deepEqual([during.screen().paper, during.screen().lines.at(-1)], [false, 'REPLACE PAPER'])
  equal(during.terminals.driver.presence(during.terminal)?.paperOut, true)
  await during.press({ key: 'put_paper_in' })
  equal(during.terminals.driver.presence(during.terminal)?.paperOut, false)

  const silent = await atTheCounter({}, aTerminal('22160001', { printing: false }))
  await silent.press({ key: 'take_paper_out' })
  equal(silent.told(), 'PRESENT_CARD')
  equal(silent.terminals.driver.presence(silent.terminal)?.paperOut, false)
})

test('an unplugged terminal has an empty screen and can be plugged in', async () => {
  const { press, screen } = await atTheCounter()
  await press({ key: 'unplug' })
  deepEqual(screen(), {
    connected: false,
    lines: [],
    keys: ['plug_in', 'take_paper_out'],
    cardInSlot: false,
    paper: true,
    requestId: null,
    waiter: null,
  })
  await press({ key: 'plug_in' })
  deepEqual(screen().lines, ['READY'])
})

test('a new payment replaces an open one on the terminal', async () => {
  const { gateway, clock, terminal, requestId, terminals } = await atTheCounter()
  const second = await gateway.start(terminal)
  await clock.advance(0)
  equal(terminals.screenOf(terminal).requestId, second)
  deepEqual(await terminals.driver.lastTransaction(terminal, requestId), { state: 'ended', successful: false })
})

test('the list of cards holds masked numbers only', async () => {
  const { terminals } = await atTheCounter()
  equal(terminals.cards.length, TEST_CARDS.length)
  const shown = JSON.stringify(terminals.cards)
  for (const { number } of TEST_CARDS) ok(!shown.includes(number))
  deepEqual(terminals.cards.find(({ card }) => card === 'sim-visa-phone')?.how, ['tap', 'keyed'])
})
