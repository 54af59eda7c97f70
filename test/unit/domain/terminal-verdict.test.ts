// test/unit/domain/terminal-verdict.test.ts — what follows from every state: effects, verdict, settlement of a table.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Authorisation, TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import { effectsOf, stillWanted } from '../../../src/domain/counter/transaction-decisions.ts'
import type {
  TransactionEvent,
  TransactionResult,
  TransactionType,
} from '../../../src/domain/counter/transaction-events.ts'
import { type NextStep, type Verdict, verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { settlementOf } from '../../../src/domain/tables/table-payment.ts'
import { anEnding, aTransaction, SALE } from '../../support/records.ts'
import { AMOUNTS, EVENTS, everyTransaction, nameOf, RESULTS, UNFINISHED } from '../../support/transaction-states.ts'

/** The effect of each event. Effects that depend on the state are tested below. */
const ASKED_FOR: Readonly<Partial<Record<TransactionEvent['type'], string>>> = {
  authorisation_requested: 'acquirer.authorise',
  reversal_requested: 'acquirer.reverse',
  signature_decided: 'terminal.answer_signature',
  signature_timed_out: 'terminal.answer_signature',
  asked_too_late: 'terminal.answer_authorisation',
}

const typesOf = (event: TransactionEvent, record: TerminalTransaction) =>
  effectsOf(event, record).map(({ type }) => type)

test('only requests for authorisation and reversal have an effect on money', () => {
  const depends = ['cancel_requested', 'authorisation_approved', 'authorisation_declined', 'timed_out']
  for (const event of EVENTS.filter(({ type }) => !depends.includes(type)))
    for (const record of everyTransaction()) {
      const asked = ASKED_FOR[event.type]
      deepEqual(typesOf(event, record), asked === undefined ? [] : [asked], `${nameOf(record)} ${event.type}`)
    }
})

test('the authorised amount includes cashback and gratuity', () => {
  const [asked] = effectsOf(
    { type: 'authorisation_requested', cardToken: 'card', amounts: AMOUNTS, card: aTransaction().card },
    aTransaction(),
  )
  deepEqual(asked?.payload, { type: 'acquirer.authorise', cardToken: 'card', amountMinor: 2599 + 1000 + 250 })
})

test('the terminal gets the acquirer’s answer while the transaction runs, and a cancel only before the card', () => {
  for (const record of everyTransaction()) {
    const runs = record.progress !== 'finished'
    for (const type of ['authorisation_approved', 'authorisation_declined'] as const) {
      const event = EVENTS.find(each => each.type === type)!
      deepEqual(typesOf(event, record), runs ? ['terminal.answer_authorisation'] : [], nameOf(record))
    }
    const inTime = record.progress === 'accepted' || record.progress === 'awaiting_card'
    deepEqual(typesOf({ type: 'cancel_requested' }, record), inTime ? ['terminal.cancel'] : [], nameOf(record))
  }
})

test('at the time limit an approval is reconciled, and an open question is answered', () => {
  for (const record of everyTransaction({ progress: ['finished'] })) {
    const { authorisation } = record
    const open = authorisation === 'requested' || authorisation === 'unknown'
    const approved = authorisation === 'approved' ? ['transaction.reconcile'] : []
    const expected = open ? ['terminal.answer_authorisation'] : approved
    deepEqual(typesOf({ type: 'timed_out' }, record), expected, nameOf(record))
  }
})

test('the terminal gets the signature decision, or an acceptance after the time-out', () => {
  const payloadOf = (event: TransactionEvent) => effectsOf(event, aTransaction()).map(({ payload }) => payload)
  const type = 'terminal.answer_signature'
  deepEqual(payloadOf({ type: 'signature_decided', accepted: true }), [{ type, accepted: true, timedOut: false }])
  deepEqual(payloadOf({ type: 'signature_decided', accepted: false }), [{ type, accepted: false, timedOut: false }])
  deepEqual(payloadOf({ type: 'signature_timed_out' }), [{ type, accepted: true, timedOut: true }])
})

test('an effect is performed while it has a purpose', () => {
  for (const record of everyTransaction()) {
    const { progress, authorisation } = record
    const runs = progress !== 'finished'
    const wanted = {
      'terminal.start': runs,
      'terminal.cancel': runs,
      'terminal.answer_signature': runs,
      'terminal.answer_authorisation': runs || authorisation !== 'confirmed',
      'acquirer.authorise': authorisation === 'requested' || authorisation === 'unknown',
      'acquirer.reverse': authorisation === 'reversing',
      'transaction.reconcile': authorisation === 'approved',
      'table.settle_payment': false,
    } as const
    for (const [type, expected] of Object.entries(wanted))
      equal(stillWanted(type as keyof typeof wanted, record), expected, `${nameOf(record)} ${type}`)
  }
})

type MoneyTaken = Verdict['moneyTaken']

/** Whether money was taken, by authorisation state. `moves`: if the type moves money. */
const AT_THE_ACQUIRER: Readonly<Record<Authorisation, MoneyTaken | 'moves'>> = {
  none: 'no',
  requested: 'unknown',
  unknown: 'unknown',
  approved: 'unknown',
  declined: 'no',
  confirmed: 'moves',
  reversing: 'unknown',
  reversed: 'no',
}
const MOVES: Readonly<Record<Exclude<TransactionType, 'DUPLICATE'>, MoneyTaken>> = {
  SALE: 'yes',
  REFUND: 'yes',
  COMPLETION: 'yes',
  PRE_AUTH: 'no',
  ACCOUNT_VERIFICATION: 'no',
}
const OWN_TYPES = Object.keys(MOVES) as (keyof typeof MOVES)[]
const takenBy = (taken: MoneyTaken | 'moves', { request }: TerminalTransaction) =>
  taken === 'moves' ? MOVES[request.transactionType as keyof typeof MOVES] : taken

test('money is taken by a confirmed approval of a type that moves money, and unknown until then', () => {
  for (const record of everyTransaction({ authorisedBy: ['gateway'], transactionType: OWN_TYPES })) {
    const taken = takenBy(AT_THE_ACQUIRER[record.authorisation], record)
    equal(verdictOf(record).moneyTaken, taken, nameOf(record))
  }
})

test('for a terminal that authorises by itself the result tells whether money was taken; a time-out leaves it unknown', () => {
  const said: Readonly<Record<TransactionResult, MoneyTaken | 'moves'>> = {
    ...{ SUCCESSFUL: 'moves', DECLINED: 'no', VOID: 'no', UNSUCCESSFUL: 'no', CANCELLED: 'no', TIMED_OUT: 'unknown' },
  }
  for (const record of everyTransaction({ authorisedBy: ['terminal'], transactionType: OWN_TYPES })) {
    const taken = takenBy(record.result === null ? 'unknown' : said[record.result], record)
    equal(verdictOf(record).moneyTaken, taken, nameOf(record))
  }
})

test('what a terminal reports after the time limit settles the verdict as a late answer of the acquirer does', () => {
  const late = { progress: 'finished', result: 'TIMED_OUT' } as const
  for (const transactionType of OWN_TYPES)
    for (const result of RESULTS.filter(each => each !== 'TIMED_OUT')) {
      const request = { ...SALE, transactionType }
      const authorisation = result === 'SUCCESSFUL' ? 'confirmed' : 'declined'
      const acquired = aTransaction({ ...late, request, authorisation, authorisedBy: 'gateway' })
      const found = aTransaction({
        ...late,
        request,
        authorisation,
        authorisedBy: 'terminal',
        found: anEnding({ result }),
      })
      deepEqual(verdictOf(found), verdictOf(acquired), `${transactionType} ${result}`)
      equal(verdictOf(found).final, true)
    }
})

/** Next step after a success of each type. A DUPLICATE has none of its own. */
const AFTER_SUCCESS: Readonly<Record<TransactionType, NextStep | null>> = {
  SALE: 'settle_bill',
  COMPLETION: 'settle_bill',
  REFUND: 'record_refund',
  PRE_AUTH: 'complete_pre_authorisation',
  ACCOUNT_VERIFICATION: 'accept_card',
  DUPLICATE: null,
}

test('a verdict is final when result and money are certain; a retry is safe when nothing was taken or held', () => {
  for (const record of everyTransaction({ transactionType: OWN_TYPES })) {
    const { final, moneyTaken, safeToRetry, nextStep } = verdictOf(record)
    const finished = record.progress === 'finished'
    equal(final, finished && moneyTaken !== 'unknown', nameOf(record))
    const held =
      record.result === 'SUCCESSFUL' ||
      (record.authorisation === 'confirmed' && record.request.transactionType !== 'ACCOUNT_VERIFICATION')
    equal(safeToRetry, final && moneyTaken === 'no' && !held, nameOf(record))
    const search = record.authorisedBy === 'terminal' ? 'check_terminal' : 'await_reconciliation'
    const afterwards = !final ? search : safeToRetry ? 'try_again' : AFTER_SUCCESS[record.request.transactionType]
    const before = record.progress === 'awaiting_signature' ? 'decide_signature' : 'wait'
    equal(nextStep, finished ? afterwards : before, nameOf(record))
  }
})

test('the verdict of a duplicate is about the repeated transaction, and never safe to retry', () => {
  for (const [transactionType, moves] of Object.entries(MOVES))
    for (const result of RESULTS) {
      const repeated = { requestId: 'r0', transactionType: transactionType as keyof typeof MOVES, endedAt: 1 }
      const record = aTransaction({
        ...{ progress: 'finished', result, repeated },
        request: { ...SALE, transactionType: 'DUPLICATE' },
      })
      const known = result !== 'TIMED_OUT'
      deepEqual(verdictOf(record), {
        final: true,
        moneyTaken: !known ? 'unknown' : result === 'SUCCESSFUL' ? moves : 'no',
        safeToRetry: false,
        nextStep: known ? 'compare_repeated' : 'check_terminal',
      })
    }
})

const ORDER = { tableId: 't1', paymentId: 'p1', waiterId: '7', gratuityMinor: 250 }

/** How a finished payment is settled at its table. Null while it is uncertain. */
const FOR_THE_TABLE: Readonly<Record<Authorisation, 'taken' | 'dropped' | null>> = {
  none: 'dropped',
  requested: null,
  unknown: null,
  approved: null,
  declined: 'dropped',
  confirmed: 'taken',
  reversing: 'dropped',
  reversed: 'dropped',
}

test('a table payment is settled as taken when it is confirmed, and as dropped when no money can move any more', () => {
  for (const record of everyTransaction({ authorisedBy: ['gateway'], transactionType: ['SALE'] })) {
    const certain = record.progress === 'finished' || record.authorisation === 'confirmed'
    const settlement = settlementOf({ ...record, request: { ...record.request, table: ORDER } })
    equal(settlement?.settled ?? null, certain ? FOR_THE_TABLE[record.authorisation] : null, nameOf(record))
    equal(settlementOf(record), null)
  }
})

test('a table payment records amount, cashback and gratuity separately', () => {
  const record = aTransaction({
    ...{ progress: 'finished', result: 'SUCCESSFUL', authorisation: 'confirmed', amounts: AMOUNTS, authCode: 'AB12C3' },
    request: { ...SALE, table: ORDER },
  })
  deepEqual(settlementOf(record), {
    settled: 'taken',
    payment: {
      ...{ paymentId: 'p1', requestId: 'r1', tid: '22160001', authCode: 'AB12C3' },
      ...{ amountMinor: 2599, cashbackMinor: 1000, gratuityMinor: 250, cardSchemeName: '', paymentMethod: 'UNKNOWN' },
    },
  })
})

test('for a terminal that authorises by itself the result settles the table payment; a time-out does not', () => {
  const expected: Readonly<Record<TransactionResult, 'taken' | 'dropped' | null>> = {
    ...{ SUCCESSFUL: 'taken', DECLINED: 'dropped', VOID: 'dropped', UNSUCCESSFUL: 'dropped' },
    ...{ CANCELLED: 'dropped', TIMED_OUT: null },
  }
  for (const result of RESULTS) {
    const record = aTransaction({
      ...{ progress: 'finished', result, authorisedBy: 'terminal' },
      request: { ...SALE, table: ORDER },
    })
    equal(settlementOf(record)?.settled ?? null, expected[result], result)
  }
})

test('what a terminal reports after the time limit settles the table payment, with its own amounts', () => {
  const amounts = { baseMinor: 2000, cashbackMinor: 0, gratuityMinor: 300 }
  const late = { progress: 'finished', authorisedBy: 'terminal', result: 'TIMED_OUT' } as const
  const request = { ...SALE, table: ORDER }
  const taken = settlementOf(
    aTransaction({ ...late, request, authorisation: 'confirmed', found: anEnding({ amounts, authCode: 'XY12' }) }),
  )
  ok(taken?.settled === 'taken')
  const { amountMinor, gratuityMinor, authCode } = taken.payment
  deepEqual([amountMinor, gratuityMinor, authCode], [2000, 300, 'XY12'])
  for (const [result, why] of [
    ['DECLINED', 'declined'],
    ['CANCELLED', 'cancelled'],
    ['UNSUCCESSFUL', 'unsuccessful'],
  ] as const) {
    const record = aTransaction({ ...late, request, authorisation: 'declined', found: anEnding({ result }) })
    deepEqual(settlementOf(record), { settled: 'dropped', why })
    const event: TransactionEvent = { type: 'found_unsuccessful', ending: anEnding({ result }) }
    deepEqual(typesOf(event, record), ['table.settle_payment'])
  }
})

test('the settlement of a table is the first effect of the commit that makes it certain', () => {
  const forTable = (changes: Partial<TerminalTransaction>) =>
    aTransaction({ request: { ...SALE, table: ORDER }, ...changes })
  const ending: TransactionEvent = { type: 'ended', ending: anEnding({ result: 'DECLINED' }) }
  const declined = forTable({ progress: 'finished', result: 'DECLINED', authorisation: 'declined' })
  deepEqual(typesOf(ending, declined), ['table.settle_payment'])
  const approved = forTable({ progress: 'finished', result: 'SUCCESSFUL', authorisation: 'approved' })
  deepEqual(typesOf(ending, approved), [])
  const confirmed = forTable({ progress: 'finished', result: 'SUCCESSFUL', authorisation: 'confirmed' })
  deepEqual(typesOf({ type: 'authorisation_confirmed' }, confirmed), ['table.settle_payment'])
  const reversing = forTable({ progress: 'finished', result: 'TIMED_OUT', authorisation: 'reversing' })
  deepEqual(typesOf({ type: 'reversal_requested', why: 'not_delivered' }, reversing), [
    'table.settle_payment',
    'acquirer.reverse',
  ])
  deepEqual(typesOf({ type: 'timed_out' }, forTable({ progress: 'finished', result: 'TIMED_OUT' })), [
    'table.settle_payment',
  ])
  for (const progress of UNFINISHED)
    deepEqual(typesOf({ type: 'linking', stage: 'CONNECTING' }, forTable({ progress })), [])
})
