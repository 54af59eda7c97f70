// test/unit/domain/terminal-money.test.ts — money rules of a counter transaction, each in every state.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { NO_CARD } from '../../../src/domain/card.ts'
import {
  type Authorisation,
  apply,
  type Cancel,
  type TerminalTransaction,
  TRANSITIONS,
} from '../../../src/domain/counter/transaction.ts'
import {
  authorisationAnswerTo,
  decide,
  effectsOf,
  stillWanted,
  type TransactionCommand,
} from '../../../src/domain/counter/transaction-decisions.ts'
import type {
  AcquirerReport,
  TerminalReport,
  TransactionEvent,
} from '../../../src/domain/counter/transaction-events.ts'
import { verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { accepts } from '../../../src/domain/machine.ts'
import { anEnding, aTransaction } from '../../support/records.ts'
import {
  AMOUNTS,
  AUTHORISATIONS,
  EVENTS,
  everyTransaction,
  inShort,
  nameOf,
  RESULTS,
  UNFINISHED,
} from '../../support/transaction-states.ts'

/** The events of a command, shortened. */
function follows(record: TerminalTransaction, command: TransactionCommand): readonly string[] {
  const decision = decide(record, command, null)
  ok('events' in decision)
  return decision.events.map(inShort)
}

const reported = (...reports: TerminalReport[]): TransactionCommand => ({
  type: 'terminal_reports',
  sequence: 1,
  reports,
})
const answered = (report: AcquirerReport): TransactionCommand => ({ type: 'acquirer_reports', reports: [report] })
const ended = (result: TerminalTransaction['result'] & string) =>
  reported({ type: 'ended', ending: anEnding({ result }) })
const eventOf = <Type extends TransactionEvent['type']>(type: Type) =>
  EVENTS.find(event => event.type === type) as Extract<TransactionEvent, { type: Type }>

/** The outcome of an open cancel when the transaction ends. */
const cancelAtEnd = (cancel: Cancel, outcome: 'cancel_done' | 'cancel_refused') =>
  cancel === 'requested' || cancel === 'stopping' ? [outcome] : []

/** Events about money when the terminal ends the transaction, by authorisation state. */
const AT_THE_END: Readonly<Record<Authorisation, { success: readonly string[]; otherwise: readonly string[] }>> = {
  none: { success: ['ended UNSUCCESSFUL'], otherwise: [] },
  requested: { success: ['ended UNSUCCESSFUL', 'reverse not_delivered'], otherwise: ['reverse not_delivered'] },
  unknown: { success: ['ended UNSUCCESSFUL', 'reverse not_delivered'], otherwise: ['reverse not_delivered'] },
  approved: { success: ['ended SUCCESSFUL', 'confirm'], otherwise: ['reverse not_delivered'] },
  declined: { success: ['ended UNSUCCESSFUL'], otherwise: [] },
  confirmed: { success: ['ended UNSUCCESSFUL'], otherwise: [] },
  reversing: { success: ['ended UNSUCCESSFUL'], otherwise: [] },
  reversed: { success: ['ended UNSUCCESSFUL'], otherwise: [] },
}

const OWN_TYPES = ['SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION', 'ACCOUNT_VERIFICATION'] as const

test('a success is confirmed with an approval on record, and becomes unsuccessful without one', () => {
  for (const record of everyTransaction({
    progress: UNFINISHED,
    authorisedBy: ['gateway'],
    transactionType: OWN_TYPES,
  })) {
    const expected = [...cancelAtEnd(record.cancel, 'cancel_refused'), ...AT_THE_END[record.authorisation].success]
    deepEqual(follows(record, ended('SUCCESSFUL')), expected, nameOf(record))
  }
})

test('any other end reverses an approval or an open authorisation, and a void gives that as the reason', () => {
  for (const result of RESULTS.filter(each => each !== 'SUCCESSFUL'))
    for (const record of everyTransaction({ progress: UNFINISHED })) {
      const reversal = AT_THE_END[record.authorisation].otherwise
      const expected = [
        ...cancelAtEnd(record.cancel, result === 'CANCELLED' ? 'cancel_done' : 'cancel_refused'),
        `ended ${result}`,
        ...(result === 'VOID' ? reversal.map(() => 'reverse voided') : reversal),
      ]
      deepEqual(follows(record, ended(result)), expected, `${nameOf(record)} ${result}`)
    }
})

test('the success of a terminal that authorises by itself counts without an approval on record', () => {
  const selection = { progress: UNFINISHED, cancel: ['none'], authorisation: ['none'] } as const
  for (const record of everyTransaction({ ...selection, authorisedBy: ['terminal'] }))
    deepEqual(follows(record, ended('SUCCESSFUL')), ['ended SUCCESSFUL'], nameOf(record))
})

test('a duplicate can succeed without an approval', () => {
  const selection = { progress: UNFINISHED, cancel: ['none'], authorisation: ['none'] } as const
  for (const record of everyTransaction({ ...selection, transactionType: ['DUPLICATE'] }))
    deepEqual(follows(record, ended('SUCCESSFUL')), ['ended SUCCESSFUL'], nameOf(record))
})

test('a time limit reverses an open authorisation, keeps an approval, and refuses an open cancel', () => {
  for (const record of everyTransaction())
    for (const command of [{ type: 'time_is_up', timer: 'limit' }, { type: 'terminal_forgot' }] as const) {
      const signature = record.progress === 'awaiting_signature' && command.type === 'time_is_up'
      const unanswered = record.authorisation === 'requested' || record.authorisation === 'unknown'
      const expected = [
        ...cancelAtEnd(record.cancel, 'cancel_refused'),
        'timed_out',
        ...(unanswered ? ['reverse not_delivered'] : []),
      ]
      const nothing = record.progress === 'finished' || signature
      deepEqual(follows(record, command), nothing ? [] : expected, `${nameOf(record)} ${command.type}`)
    }
})

test('a refused signature reverses the authorisation, an accepted one does not, and both count only while one is awaited', () => {
  for (const record of everyTransaction()) {
    const waits = record.progress === 'awaiting_signature'
    const stands = ['requested', 'unknown', 'approved'].includes(record.authorisation)
    const accepted = follows(record, { type: 'decide_signature', accepted: true })
    deepEqual(accepted, waits ? ['signature accepted'] : [], nameOf(record))
    const refused = follows(record, { type: 'decide_signature', accepted: false })
    const reversal = stands ? ['reverse signature_refused'] : []
    deepEqual(refused, waits ? ['signature refused', ...reversal] : [], nameOf(record))
  }
})

test('a signature without an answer counts as accepted: no money moves', () => {
  for (const record of everyTransaction()) {
    const expected = record.progress === 'awaiting_signature' ? ['signature_timed_out'] : []
    deepEqual(follows(record, { type: 'time_is_up', timer: 'signature' }), expected, nameOf(record))
  }
})

test('a cancel moves no money, is refused at once after a card was presented, and is taken once at a time', () => {
  for (const record of everyTransaction()) {
    const { progress, cancel } = record
    // At a signature one refusal is enough.
    const again = cancel === 'refused' && progress !== 'awaiting_signature'
    const possible = progress !== 'finished' && (cancel === 'none' || again)
    const inTime = progress === 'accepted' || progress === 'awaiting_card'
    const expected = inTime ? ['cancel_requested'] : ['cancel_requested', 'cancel_refused']
    deepEqual(follows(record, { type: 'cancel' }), possible ? expected : [], nameOf(record))
  }
})

test('a transaction is authorised once, and not after the terminal has accepted a cancel', () => {
  for (const record of everyTransaction()) {
    const may = record.progress !== 'finished' && record.cancel !== 'stopping' && record.authorisation === 'none'
    const expected = may ? ['authorisation_requested'] : isLate(record) ? ['asked_too_late'] : []
    deepEqual(follows(record, reported(eventOf('authorisation_requested'))), expected, nameOf(record))
  }
})

/** Whether the gateway has given the transaction up. */
function isLate({ progress, cancel, authorisation }: TerminalTransaction): boolean {
  if (progress === 'finished') return authorisation !== 'confirmed'
  return authorisation === 'none' ? cancel === 'stopping' : ['reversing', 'reversed'].includes(authorisation)
}

test('once the gateway has given a transaction up, its terminal is told so, and only an approval it had before may stand', () => {
  for (const record of everyTransaction().filter(isLate)) {
    deepEqual(authorisationAnswerTo(record), { answer: 'too_late' }, nameOf(record))
    ok(stillWanted('terminal.answer_authorisation', record), nameOf(record))
    const late = apply(record, { event: { type: 'asked_too_late' }, at: 1, report: 1 })
    const { progress, cancel, authorisation, result } = late
    const before = [record.progress, record.cancel, record.authorisation, record.result]
    deepEqual([progress, cancel, authorisation, result], before, nameOf(record))
    deepEqual(
      effectsOf({ type: 'asked_too_late' }, late).map(({ type }) => type),
      ['terminal.answer_authorisation'],
    )
    for (const event of EVENTS) {
      const told = event.type in REPORTS ? reported(event as TerminalReport) : null
      const answer = ACQUIRERS.includes(event.type) ? answered(event as AcquirerReport) : null
      for (const command of [told, answer].filter(each => each !== null)) {
        const events = follows(record, command)
        equal(events.includes('authorisation_requested'), false, `${nameOf(record)} ${event.type}`)
        // The terminal was asked: it had shown the approval before the end.
        const stands = record.authorisation === 'approved' && event.type === 'authorisation_confirmed'
        if (!stands) equal(events.includes('confirm'), false, `${nameOf(record)} ${event.type}`)
      }
    }
  }
})

const ACQUIRERS: readonly TransactionEvent['type'][] = [
  ...(['authorisation_approved', 'authorisation_declined', 'authorisation_unanswered'] as const),
  ...(['authorisation_confirmed', 'reversal_requested', 'reversed'] as const),
]

test('at the time limit a terminal whose question is open is told before the money is reversed', () => {
  for (const authorisation of ['requested', 'unknown'] as const) {
    const record = aTransaction({ progress: 'online', authorisation, authorisationId: 'r1.2.acquirer.authorise' })
    const decision = decide(record, { type: 'time_is_up', timer: 'limit' }, null)
    ok('events' in decision)
    const effects: string[] = []
    decision.events.reduce((before, event) => {
      const after = apply(before, { event, at: 1, report: 0 })
      effects.push(...effectsOf(event, after).map(({ type }) => type))
      return after
    }, record)
    deepEqual(effects, ['terminal.answer_authorisation', 'acquirer.reverse'])
  }
})

test('a signature request or a shown approval needs an approval on record', () => {
  for (const record of everyTransaction()) {
    const believed = record.authorisation === 'approved' || record.authorisedBy === 'terminal'
    const early = ['accepted', 'awaiting_card', 'card_in_use', 'online']
    const signature = believed && early.includes(record.progress)
    deepEqual(
      follows(record, reported(eventOf('signature_requested'))),
      signature ? ['signature_requested'] : [],
      nameOf(record),
    )
    const may = [...early, 'applying_decision'].includes(record.progress)
    const shown = (outcome: 'APPROVED' | 'DECLINED') => follows(record, reported({ type: 'outcome_shown', outcome }))
    deepEqual(shown('APPROVED'), may && believed ? ['outcome_shown'] : [], nameOf(record))
    deepEqual(shown('DECLINED'), may ? ['outcome_shown'] : [], nameOf(record))
  }
})

/** Reports of the acquirer that count, by authorisation state. */
const TAKEN: Readonly<Record<Authorisation, readonly AcquirerReport['type'][]>> = {
  none: [],
  requested: ['authorisation_approved', 'authorisation_declined', 'authorisation_unanswered', 'reversal_requested'],
  unknown: ['authorisation_approved', 'authorisation_declined', 'reversal_requested'],
  approved: ['authorisation_confirmed', 'reversal_requested'],
  declined: [],
  confirmed: [],
  reversing: ['reversed'],
  reversed: [],
}

test('an answer of the acquirer counts while it is awaited; a late confirmation only after a time-out', () => {
  for (const record of everyTransaction())
    for (const type of [
      'authorisation_approved',
      'authorisation_declined',
      'authorisation_unanswered',
      'authorisation_confirmed',
      'reversal_requested',
      'reversed',
    ] as const) {
      const counts = TAKEN[record.authorisation].includes(type)
      const taken = counts && (type !== 'authorisation_confirmed' || record.result === 'TIMED_OUT')
      equal(follows(record, answered(eventOf(type))).length, taken ? 1 : 0, `${nameOf(record)} ${type}`)
    }
})

test('a finished transaction ignores reports of its terminal, except for a late question and an outcome that it lacks', () => {
  const reports = EVENTS.filter((event): event is TerminalReport => event.type in REPORTS)
  equal(reports.length, Object.keys(REPORTS).length)
  for (const record of everyTransaction({ progress: ['finished'] }))
    for (const report of reports) {
      const late = report.type === 'authorisation_requested' && isLate(record) ? ['asked_too_late'] : []
      const found = report.type === 'ended' && lacksOutcome(record) ? ['found_successful'] : []
      deepEqual(follows(record, reported(report)), [...late, ...found], `${nameOf(record)} ${report.type}`)
    }
})

/** Whether only the terminal knows how it ended, and has not told. */
function lacksOutcome({ authorisedBy, authorisation, result, request }: TerminalTransaction): boolean {
  const own = request.transactionType !== 'DUPLICATE'
  return authorisedBy === 'terminal' && authorisation === 'none' && result === 'TIMED_OUT' && own
}

test('the outcome that a terminal reports after the time limit counts once, and never as a second time-out', () => {
  const lacking = everyTransaction({ progress: ['finished'] }).filter(lacksOutcome)
  ok(lacking.length > 0)
  for (const record of lacking)
    for (const result of RESULTS) {
      const events = follows(record, ended(result))
      const name = `${nameOf(record)} ${result}`
      if (result === 'TIMED_OUT') deepEqual(events, [], name)
      else deepEqual(events, [result === 'SUCCESSFUL' ? 'found_successful' : 'found_unsuccessful'], name)
      const [first, second] = [anEnding({ result }), anEnding()]
      const twice = reported({ type: 'ended', ending: first }, { type: 'ended', ending: second })
      // A time-out says nothing: what comes after it counts.
      deepEqual(follows(record, twice), result === 'TIMED_OUT' ? ['found_successful'] : events, name)
    }
})

test('only what is left to its terminal is closed by hand, once, and moves the money', () => {
  const by = { operator: 'Ann', reason: 'Seen on the terminal.', authCode: '' }
  for (const record of everyTransaction())
    for (const outcome of ['taken', 'not_taken'] as const) {
      const decision = decide(record, { type: 'close', outcome, ...by }, null)
      const name = `${nameOf(record)} ${outcome}`
      if (record.progress !== 'finished' || !lacksOutcome(record)) {
        deepEqual(decision, { refused: { code: 'transaction_not_closable' } }, name)
        continue
      }
      ok('events' in decision)
      const [event] = decision.events
      ok(event !== undefined)
      const after = apply(record, { event, at: 7, report: 0 })
      deepEqual(after.closure, { outcome, ...by, at: 7 }, name)
      equal(after.authorisation, outcome === 'taken' ? 'confirmed' : 'declined', name)
      equal(after.result, record.result, name)
      deepEqual(decide(after, { type: 'close', outcome, ...by }, null), {
        refused: { code: 'transaction_not_closable' },
      })
    }
})

test('what a terminal reports of a closed transaction is kept once and moves nothing', () => {
  for (const outcome of ['taken', 'not_taken'] as const) {
    const closure = { outcome, operator: 'Ann', reason: 'Seen.', authCode: '', at: 7 }
    const authorisation = outcome === 'taken' ? 'confirmed' : 'declined'
    const record = aTransaction({
      ...{ progress: 'finished', result: 'TIMED_OUT', authorisedBy: 'terminal', authorisation, closure },
    })
    for (const result of RESULTS.filter(each => each !== 'TIMED_OUT')) {
      const decision = decide(record, ended(result), null)
      ok('events' in decision)
      const agrees = (result === 'SUCCESSFUL') === (outcome === 'taken')
      deepEqual(decision.events, [{ type: 'found_after_closing', ending: anEnding({ result }), agrees }])
      const [event] = decision.events
      ok(event !== undefined)
      const after = apply(record, { event, at: 8, report: 1 })
      equal(after.authorisation, authorisation)
      equal(verdictOf(after).final, agrees, `${outcome} ${result}`)
      deepEqual(follows(after, { ...ended('SUCCESSFUL'), sequence: 2 } as TransactionCommand), [])
    }
  }
})

test('what is found after the time limit changes the money and stands beside what the till has read', () => {
  for (const record of everyTransaction({ progress: ['finished'] }).filter(lacksOutcome)) {
    const { ending } = eventOf('found_successful')
    const after = apply(record, { event: eventOf('found_successful'), at: 1, report: 1 })
    deepEqual(after.found, ending)
    equal(after.authorisation, 'confirmed')
    for (const member of ['result', 'amounts', 'card', 'authCode', 'receipts', 'finishedAt', 'notifications'] as const)
      deepEqual(after[member], record[member], member)
  }
})

const REPORTS: Readonly<Record<TerminalReport['type'], true>> = {
  ...{ prompted: true, paper_ran_out: true, card_read: true, pin_requested: true, linking: true },
  ...{ authorisation_requested: true, signature_requested: true, signature_applied: true },
  ...{ signature_not_applied: true, outcome_shown: true, card_removal_prompted: true },
  ...{ cancel_accepted: true, cancel_refused: true, ended: true },
}

/** The state after each event about money, from every state that allows the event. */
const MONEY_AFTER: Readonly<Partial<Record<TransactionEvent['type'], Authorisation>>> = {
  authorisation_requested: 'requested',
  authorisation_approved: 'approved',
  authorisation_declined: 'declined',
  authorisation_unanswered: 'unknown',
  authorisation_confirmed: 'confirmed',
  reversal_requested: 'reversing',
  reversed: 'reversed',
  found_successful: 'confirmed',
  found_unsuccessful: 'declined',
  closed_as_taken: 'confirmed',
  closed_as_not_taken: 'declined',
}

test('money moves along its transitions and no other way, and an event that is not about money leaves it', () => {
  const moving = EVENTS.filter(({ type }) => MONEY_AFTER[type] !== undefined)
  for (const authorisation of AUTHORISATIONS)
    for (const event of moving) {
      const fold = () => apply(aTransaction({ authorisation, progress: 'online' }), { event, at: 1, report: 0 })
      const name = `${authorisation} ${event.type}`
      if (accepts(TRANSITIONS.authorisation, authorisation, event.type))
        equal(fold().authorisation, MONEY_AFTER[event.type], name)
      else throws(fold, /illegal move/, name)
    }
  let folded = 0
  for (const record of everyTransaction({ authorisedBy: ['gateway'], transactionType: ['SALE'], result: ['DECLINED'] }))
    for (const event of EVENTS.filter(each => !moving.includes(each))) {
      const after = foldedOrNull(record, event)
      if (after === null) continue
      folded += 1
      equal(after.authorisation, record.authorisation, `${nameOf(record)} ${event.type}`)
    }
  ok(folded > 1_000, String(folded))
})

function foldedOrNull(record: TerminalTransaction, event: TransactionEvent): TerminalTransaction | null {
  try {
    return apply(record, { event, at: 1, report: 0 })
  } catch {
    return null
  }
}

test('reports of one delivery are applied in order', () => {
  const ask = eventOf('authorisation_requested')
  const stopping: TerminalReport = { type: 'cancel_accepted' }
  const cancelling = aTransaction({ progress: 'awaiting_card', cancel: 'requested' })
  deepEqual(follows(aTransaction(), reported(ask, ask)), ['authorisation_requested'])
  deepEqual(follows(cancelling, reported(stopping, ask)), ['cancel_accepted', 'asked_too_late'])
  const end = eventOf('ended')
  const approved = aTransaction({ progress: 'online', authorisation: 'approved' })
  deepEqual(follows(approved, reported(end, end)), ['ended SUCCESSFUL', 'confirm'])
  deepEqual(follows(aTransaction({ progress: 'online' }), reported(ask, end)), [
    'authorisation_requested',
    'ended UNSUCCESSFUL',
    'reverse not_delivered',
  ])
})

test('a repeated delivery of reports is dropped', () => {
  const record = aTransaction({ lastReport: 1 })
  deepEqual(follows(record, reported(eventOf('authorisation_requested'))), [])
  deepEqual(follows(aTransaction(), reported(eventOf('authorisation_requested'))), ['authorisation_requested'])
  equal(apply(aTransaction(), { event: eventOf('linking'), at: 1, report: 7 }).lastReport, 7)
})

test('the amounts are those authorised; without an authorisation those of the terminal', () => {
  const asked = apply(aTransaction(), { event: eventOf('authorisation_requested'), at: 1, report: 1 })
  deepEqual(asked.amounts, AMOUNTS)
  const printed = { baseMinor: 1, cashbackMinor: 2, gratuityMinor: 3 }
  const end: TransactionEvent = { type: 'ended', ending: anEnding({ amounts: printed }) }
  deepEqual(apply(asked, { event: end, at: 2, report: 2 }).amounts, AMOUNTS)
  deepEqual(apply(asked, { event: { type: 'timed_out' }, at: 2, report: 0 }).amounts, AMOUNTS)
  deepEqual(apply(aTransaction(), { event: end, at: 2, report: 2 }).amounts, printed)
})

test('an approval after the end is kept for its reversal and does not change the answer to the till', () => {
  const record = aTransaction({ progress: 'finished', result: 'TIMED_OUT', authorisation: 'unknown', authCode: '' })
  const after = apply(record, { event: eventOf('authorisation_approved'), at: 9, report: 0 })
  deepEqual([after.authCode, after.acquirerReference, after.result], ['', 'ref', 'TIMED_OUT'])
  const intime = apply(
    { ...record, progress: 'online' },
    { event: eventOf('authorisation_approved'), at: 9, report: 0 },
  )
  deepEqual([intime.authCode, intime.acquirerReference], ['AB12C3', 'ref'])
})

test('a time limit gives the result TIMED_OUT with no receipts', () => {
  const after = apply(aTransaction({ progress: 'online' }), { event: { type: 'timed_out' }, at: 9, report: 0 })
  deepEqual([after.result, after.progress, after.finishedAt], ['TIMED_OUT', 'finished', 9])
  deepEqual(after.receipts, { MERCHANT: [], CUSTOMER: [] })
  deepEqual(after.card, NO_CARD)
})
