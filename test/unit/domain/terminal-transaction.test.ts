// test/unit/domain/terminal-transaction.test.ts — properties of random histories of a counter transaction.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { NO_CARD } from '../../../src/domain/card.ts'
import { apply, type TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import { decide, effectsOf, type TransactionCommand } from '../../../src/domain/counter/transaction-decisions.ts'
import type {
  AcquirerReport,
  TerminalReport,
  TransactionEvent,
  TransactionType,
} from '../../../src/domain/counter/transaction-events.ts'
import { verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { totalOf } from '../../../src/domain/money.ts'
import { NO_RECEIPTS } from '../../../src/domain/receipt.ts'
import { anEnding, aTransaction, SALE } from '../../support/records.ts'

/** More than the request, to show which of the two is kept. */
const amounts = { baseMinor: 2599, cashbackMinor: 1000, gratuityMinor: 0 }
const terminalReport = fc.constantFrom<TerminalReport>(
  { type: 'prompted', prompt: 'PRESENT_CARD' },
  { type: 'paper_ran_out' },
  { type: 'card_read', card: { ...NO_CARD, paymentMethod: 'ICC_CHIP' } },
  { type: 'pin_requested' },
  { type: 'linking', stage: 'CONNECTING' },
  { type: 'linking', stage: 'CONNECTION_MADE' },
  { type: 'authorisation_requested', cardToken: 'card', amounts, card: NO_CARD },
  { type: 'signature_requested', authCode: 'AB12C3', card: NO_CARD, receipts: NO_RECEIPTS },
  { type: 'signature_applied' },
  { type: 'signature_not_applied' },
  { type: 'outcome_shown', outcome: 'APPROVED' },
  { type: 'outcome_shown', outcome: 'DECLINED' },
  { type: 'card_removal_prompted' },
  { type: 'cancel_accepted' },
  { type: 'cancel_refused', atEnd: false },
  { type: 'ended', ending: anEnding() },
  { type: 'ended', ending: anEnding({ result: 'DECLINED' }) },
  { type: 'ended', ending: anEnding({ result: 'CANCELLED' }) },
  { type: 'ended', ending: anEnding({ result: 'VOID' }) },
)
const acquirerReport = fc.constantFrom<AcquirerReport>(
  { type: 'authorisation_approved', authCode: 'AB12C3', reference: 'ref' },
  { type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' },
  { type: 'authorisation_unanswered' },
  { type: 'authorisation_confirmed' },
  { type: 'reversal_requested', why: 'not_delivered' },
  { type: 'reversed' },
)
const command: fc.Arbitrary<TransactionCommand> = fc.oneof(
  fc.constant<TransactionCommand>({ type: 'cancel' }),
  fc.boolean().map((accepted): TransactionCommand => ({ type: 'decide_signature', accepted })),
  fc.constantFrom<TransactionCommand>(
    { type: 'time_is_up', timer: 'signature' },
    { type: 'time_is_up', timer: 'limit' },
    { type: 'terminal_forgot' },
  ),
  {
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.array(terminalReport, { minLength: 1, maxLength: 3 }))
      .map(([sequence, reports]): TransactionCommand => ({ type: 'terminal_reports', sequence, reports })),
    weight: 8,
  },
  {
    arbitrary: acquirerReport.map((report): TransactionCommand => ({ type: 'acquirer_reports', reports: [report] })),
    weight: 2,
  },
)

interface Step {
  readonly before: TerminalTransaction
  readonly event: TransactionEvent
  readonly after: TerminalTransaction
}

/** Plays commands in order. Returns each event with the record before and after it. */
function play(commands: readonly TransactionCommand[], type: TransactionType = 'SALE'): Step[] {
  let record = aTransaction({ request: { ...SALE, transactionType: type } })
  const steps: Step[] = []
  commands.forEach((each, index) => {
    const decision = decide(record, each, null)
    ok('events' in decision)
    for (const event of decision.events) {
      const report = each.type === 'terminal_reports' ? each.sequence : 0
      const after = apply(record, { event, at: index * 1_000, report })
      steps.push({ before: record, event, after })
      record = after
    }
  })
  return steps
}

const terminalSays = (sequence: number, ...reports: TerminalReport[]): TransactionCommand => ({
  type: 'terminal_reports',
  sequence,
  reports,
})
const acquirerSays = (report: AcquirerReport): TransactionCommand => ({ type: 'acquirer_reports', reports: [report] })
const ASKED = terminalSays(1, { type: 'authorisation_requested', cardToken: 'card', amounts, card: NO_CARD })
const APPROVED = acquirerSays({ type: 'authorisation_approved', authCode: 'AB12C3', reference: 'ref' })

/** Ways that chance alone hardly ever takes; it goes on from there. */
const OPENINGS: readonly (readonly TransactionCommand[])[] = [
  [],
  [ASKED, APPROVED],
  [ASKED, APPROVED, terminalSays(2, { type: 'ended', ending: anEnding() })],
  [ASKED, APPROVED, { type: 'time_is_up', timer: 'limit' }],
  [ASKED, acquirerSays({ type: 'authorisation_unanswered' }), { type: 'time_is_up', timer: 'limit' }],
]

const histories = fc
  .tuple(fc.constantFrom(...OPENINGS), fc.array(command, { maxLength: 40 }))
  .map(([opening, commands]) => [...opening, ...commands])

test('the finished notification comes once, last, and together with the result', () => {
  fc.assert(
    fc.property(histories, commands => {
      for (const { after } of play(commands)) {
        const finished = after.notifications.filter(each => each === 'TRANSACTION_FINISHED').length
        equal(finished, after.progress === 'finished' ? 1 : 0)
        equal(after.result !== null, after.progress === 'finished')
        if (finished === 1) equal(after.notifications.at(-1), 'TRANSACTION_FINISHED')
      }
    }),
    { numRuns: 500 },
  )
})

test('the answer to the till does not change after the end', () => {
  const told = ({
    result,
    notifications,
    amounts,
    card,
    authCode,
    receipts,
    messages,
    finishedAt,
  }: TerminalTransaction) => ({ result, notifications, amounts, card, authCode, receipts, messages, finishedAt })
  fc.assert(
    fc.property(histories, commands => {
      for (const { before, after } of play(commands))
        if (before.progress === 'finished') deepEqual(told(after), told(before))
    }),
    { numRuns: 500 },
  )
})

test('every accepted cancel has exactly one outcome', () => {
  fc.assert(
    fc.property(histories, commands => {
      const steps = play(commands)
      const asked = steps.filter(step => step.event.type === 'cancel_requested').length
      const answered = steps.filter(step => ['cancel_refused', 'cancel_done'].includes(step.event.type)).length
      const last = steps.at(-1)?.after
      if (last?.progress === 'finished') equal(answered, asked)
      else ok(asked - answered <= 1 && answered <= asked)
    }),
    { numRuns: 500 },
  )
})

test('a transaction that is safe to retry has no approval and never gets one', () => {
  fc.assert(
    fc.property(
      histories,
      fc.constantFrom<TransactionType>('SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION', 'DUPLICATE'),
      (commands, type) => {
        const steps = play(commands, type)
        const records = steps.map(step => step.after)
        records.forEach((record, index) => {
          if (!verdictOf(record).safeToRetry) return
          equal(record.progress, 'finished')
          // No later event brings an approval.
          for (const later of records.slice(index)) {
            ok(!['approved', 'confirmed', 'requested', 'unknown'].includes(later.authorisation), later.authorisation)
            ok(verdictOf(later).safeToRetry)
          }
        })
      },
    ),
    { numRuns: 500 },
  )
})

test('a payment or pre-authorisation confirmed after the time limit is not safe to retry', () => {
  const story: readonly TransactionCommand[] = [
    {
      type: 'terminal_reports',
      sequence: 1,
      reports: [{ type: 'authorisation_requested', cardToken: 'card', amounts, card: NO_CARD }],
    },
    { type: 'acquirer_reports', reports: [{ type: 'authorisation_approved', authCode: 'AB12C3', reference: 'ref' }] },
    { type: 'time_is_up', timer: 'limit' },
    { type: 'acquirer_reports', reports: [{ type: 'authorisation_confirmed' }] },
  ]
  const expected = {
    SALE: { moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' },
    REFUND: { moneyTaken: 'yes', safeToRetry: false, nextStep: 'record_refund' },
    COMPLETION: { moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' },
    PRE_AUTH: { moneyTaken: 'no', safeToRetry: false, nextStep: 'complete_pre_authorisation' },
    // It holds no money, so a retry charges nothing.
    ACCOUNT_VERIFICATION: { moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' },
  } as const
  for (const [type, verdict] of Object.entries(expected)) {
    const last = play(story, type as TransactionType).at(-1)?.after
    ok(last !== undefined)
    deepEqual([type, verdictOf(last)], [type, { final: true, ...verdict }])
  }
})

test('no event follows a final verdict, except that a terminal asks too late, which leaves the verdict', () => {
  let seen = 0
  fc.assert(
    fc.property(histories, commands => {
      const steps = play(commands)
      for (const { before, event, after } of steps)
        if (event.type === 'asked_too_late') deepEqual(verdictOf(after), verdictOf(before))
        else ok(!verdictOf(before).final, event.type)
      if (steps.some(({ after }) => verdictOf(after).final)) seen += 1
    }),
    { numRuns: 500 },
  )
  ok(seen > 0)
})

test('a success has a confirmed approval', () => {
  let seen = 0
  fc.assert(
    fc.property(histories, commands => {
      const last = play(commands).at(-1)?.after
      if (last?.result !== 'SUCCESSFUL') return
      seen += 1
      equal(last.authorisation, 'confirmed')
    }),
    { numRuns: 500 },
  )
  ok(seen > 0)
})

test('effect ids are unique, and equal when the history is played again', () => {
  fc.assert(
    fc.property(histories, commands => {
      const ids = () => play(commands).flatMap(({ event, after }) => effectsOf(event, after).map(effect => effect.id))
      const first = ids()
      equal(new Set(first).size, first.length)
      deepEqual(ids(), first)
    }),
    { numRuns: 300 },
  )
})

test('the order id of an authorisation is its effect id', () => {
  const steps = play([
    {
      type: 'terminal_reports',
      sequence: 1,
      reports: [{ type: 'authorisation_requested', cardToken: 'card', amounts, card: NO_CARD }],
    },
  ])
  const { event, after } = steps[0]!
  equal(after.authorisationId, effectsOf(event, after)[0]?.id)
})

test('the amounts are those sent to the acquirer, whatever the end', () => {
  fc.assert(
    fc.property(histories, commands => {
      let askedMinor: number | null = null
      for (const { event, after } of play(commands)) {
        for (const { payload } of effectsOf(event, after))
          if (payload.type === 'acquirer.authorise') askedMinor = payload.amountMinor
        if (askedMinor !== null) equal(totalOf(after.amounts), askedMinor)
      }
    }),
    { numRuns: 500 },
  )
})
