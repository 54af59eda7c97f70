// test/contract/iso8583-orders.test.ts — what becomes of an order when the host is silent, late, wrong or gone.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { ChipData, PinBlock } from '../../src/domain/chip-data.ts'
import { money } from '../../src/domain/money.ts'
import type { CaptureOrder } from '../../src/engine/ports/acquirer.ts'
import { type AcquirerHost, hostDialect, startAcquirerHost, until } from '../support/acquirer-host.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { anOrder, type Iso8583Bench, openIso8583, untilPhase } from '../support/iso8583-bench.ts'

let host: AcquirerHost
beforeAll(async () => {
  host = await startAcquirerHost()
})
afterAll(() => host.end())

const opened: Iso8583Bench[] = []
afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close()
})

const { timers: TIMERS, messages: MESSAGES } = hostDialect().document
const UNKNOWN = { answer: 'unknown' }
const TOO_LATE = { answer: 'declined', reason: 'do_not_honour', responseCode: '68' }

async function open(dialect: Partial<DialectDocument> = {}, isForgetful = false): Promise<Iso8583Bench> {
  const bench = await openIso8583(host, await host.open({ isForgetful }), { dialect })
  opened.push(bench)
  return bench
}

async function crashed(bench: Iso8583Bench): Promise<Iso8583Bench> {
  const next = await bench.afterCrash()
  opened.push(next)
  return next
}

/** A charge whose answer does not come in time. */
async function unanswered(bench: Iso8583Bench, orderId = 'o1'): Promise<void> {
  const asked = bench.acquirer.authorise(anOrder(orderId), 'charge')
  await until(async () => (await host.seen('0200')).length > 0, 'the charge')
  await bench.clock.advance(TIMERS.answerMs)
  deepEqual(await asked, UNKNOWN)
}

const ask = ({ acquirer }: Iso8583Bench, orderId = 'o1') => acquirer.authorise(anOrder(orderId), 'charge')
/** The process after one that has died while a charge waited for its answer. The charge is asked for again. */
async function crashedWhileAsking(): Promise<Iso8583Bench> {
  const bench = await open()
  await host.deeds('0200', { deed: 'silent' })
  void ask(bench)
  await until(async () => (await host.seen('0200')).length === 1, 'the charge')
  const next = await crashed(bench)
  deepEqual(await ask(next), UNKNOWN)
  return next
}

const reverse = ({ acquirer }: Iso8583Bench, orderId = 'o1') => acquirer.reverse({ orderId, account: 'demo' })

test('a silent host: the charge is unknown, reversed, and then declined for ever', async () => {
  const bench = await open()
  await host.deeds('0200', { deed: 'silent' })
  await unanswered(bench)
  await untilPhase(bench, 'o1', 'undone')
  deepEqual(await ask(bench), TOO_LATE)
  equal(await bench.moneyOf('demo', 'o1'), 0)
  const [charge] = await host.seen('0200')
  const [reversal, ...more] = await host.seen('0420')
  deepEqual(more, [])
  const kept = ['2', '3', '4', '12', '13', '14', '22', '32', '37', '41', '42', '49']
  deepEqual(
    kept.map(number => reversal?.[number]),
    kept.map(number => charge?.[number]),
  )
  equal(reversal?.['90'], `0200${charge?.['11']}${charge?.['7']}${'123456'.padStart(11, '0')}${'0'.repeat(11)}`)
  ok(reversal?.['11'] !== charge?.['11'])
})

test('nothing of the card is in the store or in the log', async () => {
  const bench = await open()
  await host.deeds('0200', { deed: 'silent' })
  await unanswered(bench)
  await untilPhase(bench, 'o1', 'undone')
  const stored = await bench.store.all('iso8583-order', { limit: 10 })
  const text = JSON.stringify([stored, bench.log.lines])
  deepEqual(numbersThatLookLikeCards(text), [])
  ok(!text.includes('4761739001010119'))
})

describe('the end of an order without an answer', () => {
  /** Whether it is told by now. */
  function awaited({ acquirer }: Iso8583Bench, orderId = 'o1') {
    const end = { isTold: false }
    void acquirer.awaitEnd?.({ orderId, account: 'demo' }).then(() => {
      end.isTold = true
    })
    return end
  }

  test('is told to all who wait for it once the reversal is acknowledged, and at once after that', async () => {
    const bench = await open()
    await host.deeds('0200', { deed: 'silent' })
    await host.deeds('0420', { deed: 'silent' })
    await unanswered(bench)
    const waiting = [awaited(bench), awaited(bench), awaited(bench, 'another')]
    await until(async () => (await host.seen('0420')).length === 1, 'the reversal')
    deepEqual(
      waiting.map(({ isTold }) => isTold),
      [false, false, false],
    )
    await bench.clock.advance(TIMERS.reversalMs + 5_000)
    await untilPhase(bench, 'o1', 'undone')
    await until(async () => waiting[0]?.isTold === true, 'the end')
    deepEqual(
      waiting.map(({ isTold }) => isTold),
      [true, true, false],
    )
    const later = awaited(bench)
    await until(async () => later.isTold, 'the end again')
    deepEqual(await ask(bench), TOO_LATE)
  })

  test('is told by the process that takes the order up after a crash', async () => {
    const next = await crashedWhileAsking()
    const end = awaited(next)
    await next.clock.advance(TIMERS.answerMs + 5_000)
    await until(async () => end.isTold, 'the end')
    deepEqual(await ask(next), TOO_LATE)
  })
})

describe('a late approval', () => {
  test('before the reversal has left is the answer', async () => {
    const bench = await open({ timers: { ...TIMERS, window: 1 } })
    await host.deeds('0200', { deed: 'late' })
    const asked = ask(bench)
    await until(async () => (await host.held()) === 1, 'the charge')
    // Somebody else has the only place of the window, so the reversal waits.
    const place = bench.connection.acquire(60_000, true)
    await bench.clock.advance(TIMERS.answerMs)
    deepEqual(await asked, UNKNOWN)
    await host.release()
    // The reversal waits for its place with the order to itself, and gives up after the time for a connection.
    await bench.clock.advance(TIMERS.connectMs)
    await untilPhase(bench, 'o1', 'approved')
    ;(await place)?.release()
    equal((await ask(bench)).answer, 'approved')
    deepEqual(await host.seen('0420'), [])
  })

  test('after it has left does not stop it', async () => {
    const bench = await open()
    await host.deeds('0200', { deed: 'late' })
    await host.deeds('0420', { deed: 'late' })
    await unanswered(bench)
    await untilPhase(bench, 'o1', 'reversing')
    await until(async () => (await host.held()) === 2, 'the reversal')
    await host.release()
    await untilPhase(bench, 'o1', 'undone')
    await until(() => bench.log.lines.some(({ message }) => message === 'late answer of the host'), 'the late answer')
    deepEqual(await ask(bench), TOO_LATE)
    equal(await bench.moneyOf('demo', 'o1'), 0)
  })

  test('of a host that did not know the order is reversed again', async () => {
    const bench = await open({ timers: { ...TIMERS, settleMs: 1_000 } }, true)
    await host.deeds('0200', { deed: 'silent' })
    await host.deeds('0420', { deed: 'fields', fields: { '39': '25' }, isBooked: false })
    await host.deeds('0421', { deed: 'fields', fields: { '39': '25' }, isBooked: false })
    await unanswered(bench)
    await until(async () => (await bench.note('o1'))?.missing === 1, 'the first answer')
    await bench.clock.advance(1_000)
    await untilPhase(bench, 'o1', 'undone')
    const [charge = {}] = await host.seen('0200')
    const answer: Record<string, string> = { ...charge, '0': '0210', '38': 'LATE01', '39': '00' }
    const { '2': _, '14': __, ...late } = answer
    await host.ask(late)
    await until(() => bench.log.lines.some(({ level }) => level === 'error'), 'an error in the log')
    await until(async () => {
      await bench.clock.advance(0)
      return (await host.seen('0420')).length === 2
    }, 'another reversal')
    await untilPhase(bench, 'o1', 'undone')
    equal(await bench.moneyOf('demo', 'o1'), 0)
  })
})

test.each([
  ['another amount', { '4': '000000000001', '39': '00', '38': 'A1    ' }],
  ['another currency', { '49': '978', '39': '00', '38': 'A1    ' }],
  ['no authorisation code', { '39': '00', '38': '' }],
  ['a code that leaves it open', { '39': '68' }],
] as const)('an answer with %s is reversed', async (_, fields) => {
  const bench = await open()
  await host.deeds('0200', { deed: 'fields', fields, isBooked: true })
  deepEqual(await ask(bench), UNKNOWN)
  await untilPhase(bench, 'o1', 'undone')
  deepEqual(await ask(bench), TOO_LATE)
  equal(await bench.moneyOf('demo', 'o1'), 0)
})

test('a partial approval is reversed, and declined for lack of funds', async () => {
  const bench = await open()
  await host.deeds('0200', { deed: 'fields', fields: { '39': '10', '4': '000000001000' }, isBooked: true })
  deepEqual(await ask(bench), UNKNOWN)
  await untilPhase(bench, 'o1', 'undone')
  deepEqual(await ask(bench), { answer: 'declined', reason: 'insufficient_funds', responseCode: '10' })
})

test('an interim answer is waited for, and an unknown code declines', async () => {
  const bench = await open()
  await host.deeds('0200', { deed: 'interim', code: '09' }, { deed: 'fields', fields: { '39': 'Q9' }, isBooked: false })
  equal((await ask(bench)).answer, 'approved')
  deepEqual(await ask(bench, 'o2'), { answer: 'declined', reason: 'do_not_honour', responseCode: 'Q9' })
})

describe('a reversal', () => {
  test('is repeated until it is answered, as a repetition with the same number and the time of now', async () => {
    const bench = await open()
    await host.deeds('0420', { deed: 'silent' })
    await host.deeds('0421', { deed: 'silent' }, { deed: 'fields', fields: { '39': '96' }, isBooked: false })
    equal((await ask(bench)).answer, 'approved')
    const asked = reverse(bench)
    await until(async () => (await host.seen('0420')).length === 1, 'the reversal')
    await bench.clock.advance(TIMERS.reversalMs)
    equal(await asked, 'unknown')
    for (const [count, pauseMs] of [
      [1, 0],
      [2, TIMERS.reversalMs + 30_000],
      [3, 60_000],
    ] as const) {
      await bench.clock.advance(pauseMs)
      await until(async () => (await host.seen('0421')).length === count, `repetition ${count}`)
    }
    await untilPhase(bench, 'o1', 'undone')
    equal(await reverse(bench), 'reversed')
    const sent = [...(await host.seen('0420')), ...(await host.seen('0421'))]
    for (const number of ['11', '12', '13', '37', '90']) equal(new Set(sent.map(fields => fields[number])).size, 1)
    equal(new Set(sent.map(fields => fields['7'])).size, 4)
    equal(sent[0]?.['38']?.trim(), 'A00001')
  })

  test('of an order that the host does not know is repeated once, after its own time limit', async () => {
    const bench = await open()
    await host.deeds('0200', { deed: 'cutBefore' })
    deepEqual(await ask(bench), UNKNOWN)
    await until(() => bench.connection.problem !== null, 'the end of the connection')
    await bench.clock.advance(1_000)
    await until(() => bench.connection.address !== null, 'the next connection')
    await bench.clock.advance(5_000)
    await until(async () => (await bench.note('o1'))?.missing === 1, 'the answer that it is not known')
    equal(await reverse(bench), 'unknown')
    await host.deeds('0421', { deed: 'fields', fields: { '39': '25' }, isBooked: false })
    await bench.clock.advance(TIMERS.settleMs)
    await untilPhase(bench, 'o1', 'undone')
    equal((await host.seen('0421')).length, 1)
    deepEqual(await ask(bench), TOO_LATE)
  })

  test.each([
    ['that the host refuses', '40'],
    ['of an approved order that the host does not know', '25'],
  ])('%s leaves the order unknown, for a person', async (_, code) => {
    const bench = await open()
    await host.deeds('0420', { deed: 'fields', fields: { '39': code }, isBooked: false })
    equal((await ask(bench)).answer, 'approved')
    equal(await reverse(bench), 'unknown')
    equal((await bench.note('o1'))?.phase, 'stuck')
    ok(bench.log.lines.some(({ level }) => level === 'error'))
    deepEqual(await ask(bench), UNKNOWN)
    equal(await reverse(bench), 'unknown')
    equal((await host.seen('0420')).length, 1)
  })

  test('that was done before counts as done; two at once are one', async () => {
    const bench = await open()
    await host.deeds('0420', { deed: 'fields', fields: { '39': '94' }, isBooked: true })
    equal((await ask(bench)).answer, 'approved')
    deepEqual(await Promise.all([reverse(bench), reverse(bench)]), ['reversed', 'reversed'])
    equal((await host.seen('0420')).length, 1)
  })

  test('of an order that was not sent sends nothing', async () => {
    const bench = await open()
    equal(await reverse(bench), 'reversed')
    deepEqual(await ask(bench), TOO_LATE)
    deepEqual(await host.seen('0200'), [])
    deepEqual(await host.seen('0420'), [])
  })

  test('of a refund names its kind', async () => {
    const bench = await open()
    equal((await bench.acquirer.refund(anOrder('o1'))).answer, 'approved')
    equal(await bench.moneyOf('demo', 'o1'), -2599)
    equal(await reverse(bench), 'reversed')
    equal((await host.seen('0420'))[0]?.['3'], '200000')
    equal(await bench.moneyOf('demo', 'o1'), 0)
  })
})

test('without a connection nothing is sent, and the next request sends it for the first time', async () => {
  const bench = await openIso8583(host, await host.open({ signOnCode: '91' }), { connects: false })
  opened.push(bench)
  const asked = ask(bench)
  await bench.clock.advance(TIMERS.connectMs)
  deepEqual(await asked, UNKNOWN)
  equal((await bench.note('o1'))?.phase, 'made')
  await host.change({ signOnCode: '00' })
  await until(async () => {
    await bench.clock.advance(1_000)
    return bench.connection.address !== null
  }, 'the connection')
  equal((await ask(bench)).answer, 'approved')
  equal((await host.seen('0200')).length, 1)
})

describe('a capture', () => {
  const captureOf = (orderId: string, authCode: string): CaptureOrder => ({
    ...anOrder(orderId, 2_000),
    ...{ authCode, preAuthorisedTotal: null },
  })

  test('is an advice with the numbers of the hold, repeated until it is answered', async () => {
    const bench = await open()
    const held = await bench.acquirer.authorise(anOrder('hold'), 'hold')
    ok(held.answer === 'approved')
    await host.deeds('0220', { deed: 'silent' })
    const asked = bench.acquirer.capture(captureOf('o1', held.authCode))
    await until(async () => (await host.seen('0220')).length === 1, 'the capture')
    await bench.clock.advance(TIMERS.answerMs)
    deepEqual(await asked, UNKNOWN)
    await untilPhase(bench, 'o1', 'approved')
    const [first, again] = [(await host.seen('0220'))[0], (await host.seen('0221'))[0]]
    deepEqual([first?.['37'], first?.['38'], first?.['4']], [held.reference, held.authCode, '000000002000'])
    for (const number of ['2', '4', '11', '12', '13', '37', '38']) equal(again?.[number], first?.[number])
    equal(await bench.moneyOf('demo', 'o1'), 2_000)
    equal((await bench.acquirer.capture(captureOf('o1', held.authCode))).answer, 'approved')
    deepEqual(await host.seen('0420'), [])
  })

  test('without a hold, above it, or of another total is not sent', async () => {
    const bench = await open()
    const held = await bench.acquirer.authorise(anOrder('hold'), 'hold')
    ok(held.answer === 'approved')
    const reasonOf = async (order: CaptureOrder) => {
      const answer = await bench.acquirer.capture(order)
      return answer.answer === 'declined' ? answer.reason : answer.answer
    }
    equal(await reasonOf(captureOf('c1', 'OTHER')), 'no_pre_authorisation')
    equal(
      await reasonOf({ ...captureOf('c2', held.authCode), amount: money(2600, 'GBP') }),
      'pre_authorisation_differs',
    )
    const total = { preAuthorisedTotal: money(9_999, 'GBP') }
    equal(await reasonOf({ ...captureOf('c3', held.authCode), ...total }), 'pre_authorisation_differs')
    equal(await reasonOf({ ...captureOf('c4', ''), holdOrderId: 'c1' }), 'no_pre_authorisation')
    deepEqual(await host.seen('0220'), [])
    await host.deeds('0220', { deed: 'fields', fields: { '39': '13' }, isBooked: false })
    equal(await reasonOf(captureOf('c5', held.authCode)), 'do_not_honour')
    equal(await reasonOf({ ...captureOf('c6', ''), holdOrderId: 'hold' }), 'approved')
  })
})

test('a card is verified with the amount 0; without an answer it is asked again, and never reversed', async () => {
  const bench = await open()
  await host.deeds('0100', { deed: 'silent' })
  const asked = bench.acquirer.verify(anOrder('o1'))
  await until(async () => (await host.seen('0100')).length === 1, 'the verification')
  await bench.clock.advance(TIMERS.answerMs)
  deepEqual(await asked, UNKNOWN)
  equal((await bench.acquirer.verify(anOrder('o1'))).answer, 'approved')
  deepEqual(
    (await host.seen('0100')).map(fields => fields['4']),
    ['000000000000', '000000000000'],
  )
  equal(await reverse(bench), 'reversed')
  deepEqual(await host.seen('0420'), [])
})

test('a card on a chip is sent with its tags, without those that hold its number', async () => {
  const bench = await open()
  const chip = new ChipData(
    '57114761739001010119D301220100000000005A0847617390010101195F34010182021980'.replace(/ /g, ''),
  )
  const { cardToken: _, ...order } = anOrder('o1')
  equal(
    (await bench.acquirer.authorise({ ...order, cardToken: 'chip', chipData: chip, entryMode: 'ICC_CHIP' }, 'charge'))
      .answer,
    'approved',
  )
  const [charge] = await host.seen('0200')
  deepEqual([charge?.['2'], charge?.['14'], charge?.['22'], charge?.['23']], ['4761739001010119', '3012', '051', '001'])
  match(charge?.['55'] ?? '', /^5F34010182021980$/)
})

test('a card without a number, and one with a PIN block, are declined without sending', async () => {
  const bench = await open()
  const unknownCard = { ...anOrder('o1'), cardToken: 'token of another' }
  const answer = { answer: 'declined', reason: 'card_not_supported' }
  deepEqual(await bench.acquirer.authorise(unknownCard, 'charge'), { ...answer, responseCode: '14' })
  const pinBlock = new PinBlock('0'.repeat(16), '0'.repeat(20))
  deepEqual(await bench.acquirer.authorise({ ...anOrder('o2'), pinBlock }, 'charge'), { ...answer, responseCode: '57' })
  deepEqual(await host.seen('0200'), [])
})

test('another order under the same id is refused as a bug, and not sent', async () => {
  const bench = await open()
  equal((await ask(bench)).answer, 'approved')
  await rejects(bench.acquirer.authorise(anOrder('o1', 1), 'charge'), /another than the one with this id/)
  await rejects(bench.acquirer.refund(anOrder('o1')), /another than the one with this id/)
  equal((await host.seen('0200')).length, 1)
})

test('fifty orders at once have numbers of their own, and each its answer', async () => {
  const bench = await open()
  const ids = Array.from({ length: 50 }, (_, index) => `o${index}`)
  const answers = await Promise.all(ids.map(id => ask(bench, id)))
  ok(answers.every(({ answer }) => answer === 'approved'))
  const seen = await host.seen('0200')
  for (const number of ['11', '37']) equal(new Set(seen.map(fields => fields[number])).size, 50)
  deepEqual(await host.book(), { total: 50 * 2599, repeats: 0 })
})

describe('after a crash', () => {
  test('an order that was sent is reversed once its time is over, and never sent again', async () => {
    const next = await crashedWhileAsking()
    await next.clock.advance(TIMERS.answerMs + 5_000)
    await untilPhase(next, 'o1', 'undone')
    deepEqual(await ask(next), TOO_LATE)
    deepEqual(await host.book(), { total: 0, repeats: 0 })
  })

  test('a reversal goes on as a repetition, and answers stay as they were', async () => {
    const bench = await open()
    await host.deeds('0420', { deed: 'silent' })
    const first = await ask(bench)
    const second = await ask(bench, 'o2')
    void reverse(bench)
    await until(async () => (await host.seen('0420')).length === 1, 'the reversal')
    const next = await crashed(bench)
    deepEqual(await ask(next, 'o2'), second)
    ok(first.answer === 'approved')
    await next.clock.advance(TIMERS.reversalMs + 5_000)
    await untilPhase(next, 'o1', 'undone')
    equal((await host.seen('0421')).length, 1)
    equal(await reverse(next), 'reversed')
  })
})

test('a dialect without a message declines its kind, and a field without a value is an error in the log', async () => {
  const { verify: _, ...messages } = MESSAGES
  const bench = await open({
    messages: { ...messages, refund: { mti: '0200', like: 'charge', fields: '2 3 4 7 11 41 95' } },
  })
  const declined = { answer: 'declined', reason: 'card_not_supported', responseCode: '40' }
  deepEqual(await bench.acquirer.verify(anOrder('o1')), declined)
  deepEqual(await bench.acquirer.refund(anOrder('o2')), { ...declined, reason: 'do_not_honour', responseCode: '30' })
  ok(bench.log.lines.some(({ level, fields }) => level === 'error' && fields['why'] === 'Field 95: has no value.'))
})
