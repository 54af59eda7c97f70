// test/unit/terminals/nexo/recovery.test.ts — a payment whose answer is open is asked for until the truth is known.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type Action,
  ASK_BESIDE_MS,
  type Input,
  type Inquiry,
  inquiryAfterRestart,
  inquiryFor,
  MEMORY_MS,
  step,
} from '../../../../src/terminals/nexo/recovery.ts'
import type { Transport } from '../../../../src/terminals/nexo/wire/answers.ts'
import type { Verdict } from '../../../../src/terminals/nexo/wire/results.ts'

const OURS = 'ABC1'
const PAID = { verdict: 'ended', result: 'SUCCESSFUL', shown: 'APPROVED' } as const
const DECLINED = { verdict: 'ended', result: 'DECLINED', shown: 'DECLINED' } as const
const LOST: Input = { type: 'line_lost' }
const TIME: Input = { type: 'time_came' }
const UNDELIVERED: Input = { type: 'undelivered' }
const status = (is: 'in_progress' | 'not_found' | 'undelivered'): Input => ({ type: 'status', status: { status: is } })
const NO_STATEMENT: Input = { type: 'status', status: { status: 'no_statement', because: 'Busy' } }
const responded = (verdict: Verdict, repeated = false): Input => ({ type: 'responded', verdict, repeated })

/** The last action after inputs at times in milliseconds. */
function actionAfter(begun: Inquiry, ...inputs: readonly (readonly [at: number, input: Input])[]): Action {
  let inquiry = begun
  let last: Action = { do: 'ask' }
  for (const [at, input] of inputs) ({ inquiry, action: last } = step(inquiry, input, at))
  return last
}
const sent = (transport: Transport = 'local') => inquiryFor(OURS, 0, transport)

test('a payment that the cloud has handed over is asked for every 15 s, and its denial counts after the quiet time only', () => {
  const handedOver: Input = { type: 'handed_over' }
  deepEqual(actionAfter(sent('cloud'), [1_000, handedOver]), { do: 'wait', until: 16_000 })
  deepEqual(actionAfter(sent('cloud'), [1_000, handedOver], [16_000, TIME]), { do: 'ask' })
  const asked = [
    [1_000, handedOver],
    [16_000, TIME],
    [16_000, status('in_progress')],
  ] as const
  deepEqual(actionAfter(sent('cloud'), ...asked), { do: 'wait', until: 31_000 })
  const denied = [31_000, 46_000, 61_000, 76_000].map(at => [at, status('not_found')] as const)
  equal(actionAfter(sent('cloud'), ...asked, ...denied).do, 'wait')
  const later = [166_000, 176_000, 186_000].map(at => [at, status('not_found')] as const)
  deepEqual(actionAfter(sent('cloud'), ...asked, ...denied, ...later), { do: 'deny', because: 'not_found' })
})

describe('the recovery table', () => {
  test('2: a request that the terminal has not taken is denied', () => {
    deepEqual(actionAfter(sent(), [1, { type: 'refused' }]), { do: 'deny', because: 'refused' })
  })
  test('3 and 4: busy with another one is denied, busy with ours or with what it does not name is asked for', () => {
    const busy = (serviceId: string) => actionAfter(sent(), [1, responded({ verdict: 'busy', serviceId })])
    deepEqual(
      [busy('OTHER'), busy(OURS), busy('')].map(({ do: what }) => what),
      ['deny', 'ask', 'ask'],
    )
  })
  test('7: a lost line is asked for at once, then after 2 s five times, 5 s for a minute, and 15 s', () => {
    deepEqual(actionAfter(sent(), [1_000, LOST]), { do: 'ask' })
    let { inquiry } = step(sent(), LOST, 0)
    const pauses: number[] = []
    let at = 0
    for (let tries = 0; tries < 20; tries += 1) {
      const taken = step(inquiry, NO_STATEMENT, at)
      inquiry = taken.inquiry
      if (taken.action.do !== 'wait') throw new Error(taken.action.do)
      pauses.push(taken.action.until - at)
      at = taken.action.until
    }
    deepEqual([...new Set(pauses)], [2_000, 5_000, 15_000])
    deepEqual(pauses.filter(pause => pause === 2_000).length, 4)
    deepEqual(actionAfter(inquiry, [at, TIME]), { do: 'ask' })
  })
  test('7: an answer that proves nothing is a lost line', () => {
    deepEqual(actionAfter(sent(), [1, responded({ verdict: 'none' })]), { do: 'ask' })
  })
  test('8: a repeated response ends it like the response itself', () => {
    deepEqual(actionAfter(sent(), [1, LOST], [2, responded(PAID, true)]), { do: 'end', verdict: PAID })
    deepEqual(actionAfter(sent(), [2, responded(DECLINED)]), { do: 'end', verdict: DECLINED })
  })
  test('9: one in progress is asked for again, and aborted again when the till has cancelled', () => {
    const begun = actionAfter(sent(), [1, LOST], [2, status('in_progress')])
    equal(begun.do, 'wait')
    const cancelled = actionAfter(sent(), [1, { type: 'cancel_wanted' }], [2, LOST], [3, status('in_progress')])
    equal(cancelled.do, 'abort')
  })
  test('10 and 11: one denial is not believed, three over 15 s are', () => {
    const denials = [0, 5_000, 10_000, 15_000].map(at => [at, status('not_found')] as const)
    const actions = denials.map((_, index) => actionAfter(sent(), [0, LOST], ...denials.slice(0, index + 1)).do)
    deepEqual(actions, ['wait', 'wait', 'wait', 'deny'])
  })
  test('10: a denial after which it is found, or the terminal says nothing, begins anew', () => {
    for (const between of [status('in_progress'), NO_STATEMENT]) {
      const denials = [20_000, 25_000].map(at => [at, status('not_found')] as const)
      equal(actionAfter(sent(), [0, LOST], [0, status('not_found')], [9_000, between], ...denials).do, 'wait')
    }
  })
  test('10: a denial beside the open line closes that first', () => {
    const at = ASK_BESIDE_MS.local
    const action = actionAfter(sent(), [at, TIME], [at, status('not_found')])
    deepEqual(action, { do: 'hang_up', until: at + 5_000 })
  })
  test('17: after 48 hours nobody can tell', () => {
    deepEqual(actionAfter(sent(), [0, LOST], [MEMORY_MS, TIME]), { do: 'give_up' })
  })
  test('a failure in unknown words is asked for once, and then believed', () => {
    const unknown: Verdict = { verdict: 'doubtful', condition: 'New' }
    deepEqual(actionAfter(sent(), [1, responded(unknown)]), { do: 'ask' })
    deepEqual(actionAfter(sent(), [1, responded(unknown)], [2, responded(unknown, true)]), {
      ...{ do: 'deny', because: 'unknown_failure' },
    })
    deepEqual(actionAfter(sent(), [1, responded(unknown)], [2, responded(PAID, true)]), { do: 'end', verdict: PAID })
    const impossible = responded({ verdict: 'doubtful', condition: 'NotFound' })
    deepEqual(actionAfter(sent(), [1, impossible], [2, impossible]), { do: 'ask' })
  })
  test('while the line is open the terminal is asked after 120 s at the earliest, by cloud after 150 s', () => {
    const until = (transport: Transport) => actionAfter(sent(transport), [1, { type: 'cancel_wanted' }])
    deepEqual(until('local'), { do: 'wait', until: 120_000 })
    deepEqual(until('cloud'), { do: 'wait', until: 150_000 })
  })
  test('5: what the cloud could not deliver is asked for once, and then denied', () => {
    const begun = sent('cloud')
    deepEqual(actionAfter(begun, [300, UNDELIVERED]), { do: 'wait', until: 2_300 })
    for (const said of [status('not_found'), status('undelivered')])
      deepEqual(actionAfter(begun, [300, UNDELIVERED], [2_300, said]), { do: 'deny', because: 'undelivered' })
    equal(
      actionAfter(begun, [300, UNDELIVERED], [2_300, status('in_progress')], [9_000, status('undelivered')]).do,
      'wait',
    )
    equal(actionAfter(begun, [300, UNDELIVERED], [2_300, NO_STATEMENT], [9_000, status('not_found')]).do, 'wait')
  })
  test('5: the same words after a while, or as the answer to a question, prove nothing', () => {
    deepEqual(actionAfter(sent('cloud'), [6_000, UNDELIVERED]), { do: 'ask' })
    const offline = [2_000, 4_000, 6_000, 200_000].map(at => [at, status('undelivered')] as const)
    equal(actionAfter(sent('cloud'), [0, LOST], ...offline).do, 'wait')
  })
  test('10: what was sent by cloud may be on its way for 150 s', () => {
    const denials = [1_000, 20_000, 100_000, 149_999].map(at => [at, status('not_found')] as const)
    equal(actionAfter(sent('cloud'), [0, LOST], ...denials).do, 'wait')
    const last = [150_000, status('not_found')] as const
    deepEqual(actionAfter(sent('cloud'), [0, LOST], ...denials, last), { do: 'deny', because: 'not_found' })
  })
})

/** A terminal with a shopper in front of it, as far as one payment goes. Times in milliseconds. */
interface Model {
  /** When the request arrives that was on its way as the line broke; null when it never does. */
  readonly arrivesAt: number | null
  state: 'nothing' | 'running' | 'charged' | 'declined'
  charges: number
}

type Event =
  | { readonly type: 'time'; readonly ms: number }
  | {
      readonly type: 'pays' | 'is_declined' | 'line_breaks' | 'gateway_restarts' | 'terminal_restarts' | 'till_cancels'
    }
  | { readonly type: 'answer' | 'question_is_lost' | 'busy' | 'question' | 'is_undelivered' | 'is_offline' }

const EVENTS: fc.Arbitrary<Event> = fc.oneof(
  fc.integer({ min: 0, max: 40_000 }).map(ms => ({ type: 'time', ms }) as const),
  fc
    .constantFrom('pays', 'is_declined', 'line_breaks', 'gateway_restarts', 'terminal_restarts', 'till_cancels')
    .map(type => ({ type })),
  fc
    .constantFrom('answer', 'question_is_lost', 'busy', 'question', 'is_undelivered', 'is_offline')
    .map(type => ({ type })),
)
/** What is on its way arrives within this time, or never: a denial is believed after 15 s of denials, by cloud after 150 s. */
const LATEST = { local: 9_000, cloud: 149_000 } as const
const arrives = (transport: Transport) => fc.option(fc.integer({ min: 0, max: LATEST[transport] }), { nil: null })

interface Play {
  readonly model: Model
  inquiry: Inquiry
  at: number
  readonly endings: { readonly action: Action; readonly charged: boolean }[]
}

function arrive({ model, at }: Play): void {
  if (model.state === 'nothing' && model.arrivesAt !== null && at >= model.arrivesAt) model.state = 'running'
}

function take(play: Play, input: Input): void {
  if (play.endings.length > 0) return
  const { inquiry, action } = step(play.inquiry, input, play.at)
  play.inquiry = inquiry
  if (action.do === 'end' || action.do === 'deny' || action.do === 'give_up')
    play.endings.push({ action, charged: play.model.charges > 0 })
}

function statusOfModel({ state }: Model): Input {
  if (state === 'running') return status('in_progress')
  return state === 'nothing' ? status('not_found') : responded(state === 'charged' ? PAID : DECLINED, true)
}

function perform(play: Play, event: Event): void {
  const { model } = play
  arrive(play)
  switch (event.type) {
    case 'time':
      play.at += event.ms
      arrive(play)
      take(play, TIME)
      break
    case 'pays':
      if (model.state === 'running') {
        model.state = 'charged'
        model.charges += 1
      }
      break
    case 'is_declined':
      if (model.state === 'running') model.state = 'declined'
      break
    case 'terminal_restarts':
      // Finished results survive; what was running may be lost, and then nothing is charged.
      if (model.state === 'running') model.state = 'declined'
      take(play, LOST)
      break
    case 'line_breaks':
      take(play, LOST)
      break
    case 'gateway_restarts':
      play.inquiry = inquiryAfterRestart(OURS, 0, play.inquiry.transport, play.at)
      break
    case 'till_cancels':
      if (model.state === 'running') model.state = 'declined'
      take(play, { type: 'cancel_wanted' })
      break
    case 'answer':
      if (play.inquiry.line === 'open' && (model.state === 'charged' || model.state === 'declined'))
        take(play, responded(model.state === 'charged' ? PAID : DECLINED))
      break
    case 'is_undelivered':
      // The cloud says so at once, and only when it is true.
      if (
        play.inquiry.transport === 'cloud' &&
        play.inquiry.line === 'open' &&
        model.arrivesAt === null &&
        play.at < 3_000
      )
        take(play, UNDELIVERED)
      break
    case 'is_offline':
      if (play.inquiry.transport === 'cloud') take(play, status('undelivered'))
      break
    case 'question_is_lost':
    case 'busy':
      take(play, NO_STATEMENT)
      break
    case 'question':
      take(play, statusOfModel(model))
      break
  }
}

test.each(['local', 'cloud'] as const)(
  '68: whatever happens in whatever order, no charge is denied, nothing is charged twice, and there is one end (%s)',
  transport => {
    fc.assert(
      fc.property(arrives(transport), fc.array(EVENTS, { maxLength: 60 }), (arrivesAt, events) => {
        const model: Model = { arrivesAt, state: 'nothing', charges: 0 }
        const play: Play = { model, inquiry: sent(transport), at: 0, endings: [] }
        for (const event of events) perform(play, event)
        // In the end the terminal is idle and answers: the truth comes out.
        play.at = Math.max(play.at, 1_000 + LATEST[transport])
        arrive(play)
        if (model.state === 'running') model.state = 'declined'
        take(play, LOST)
        for (let tries = 0; tries < 10; tries += 1) {
          take(play, statusOfModel(model))
          play.at += 5_000
        }
        equal(play.endings.length, 1)
        ok(model.charges <= 1)
        const [end] = play.endings
        const isSuccess = end?.action.do === 'end' && end.action.verdict.result === 'SUCCESSFUL'
        equal(isSuccess, model.charges === 1)
        equal(end?.charged, model.charges === 1)
      }),
      { numRuns: 2_000 },
    )
  },
)
