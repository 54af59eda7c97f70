// src/simulator/terminals/session-replies.ts — processes the gateway's replies to a waiter's terminal. Pure.
import type { PayAtTableReply } from '../../engine/ports/pay-at-table.ts'
import type { DeviceState, OpenRequest } from './device.ts'
import { type Attended, altered, isAttended, LATER_MS, leaving, stopping, waiting, withRequest } from './session.ts'

export interface ReplyInput {
  readonly type: 'waiter_answered'
  readonly number: number
  readonly reply: PayAtTableReply
}

/** Processes a reply. One to an earlier request changes nothing. */
export function answered(state: DeviceState, { number, reply }: ReplyInput, at: number): DeviceState {
  if (!isAttended(state) || state.session.ask?.number !== number) return state
  return take(state, state.session.ask, reply, at)
}

function take(state: Attended, ask: OpenRequest, reply: PayAtTableReply, at: number): DeviceState {
  const { session } = state
  switch (reply.reply) {
    case 'tables':
      return waiting(state, at, {
        names: reply.names,
        message: reply.names.length === 0 ? 'NO TABLES' : 'CHOOSE A TABLE',
      })
    case 'held':
      return waiting(state, at, { table: reply.held, shares: [], message: '' })
    case 'bill':
      return billCame(state, ask, reply.lines, at)
    case 'started':
      if (session.paying === null) return waiting(state, at)
      return waiting(state, at, { paying: { ...session.paying, requestId: reply.requestId } })
    case 'settled':
      return settled(state, reply, at)
    case 'done':
      return done(state, ask)
    case 'later':
      return altered(state, { ask: { ...ask, retryAt: at + LATER_MS } })
    case 'refused':
      return refused(state, ask, reply.says, at)
  }
}

function billCame(
  state: Attended,
  { question }: OpenRequest,
  lines: Extract<PayAtTableReply, { reply: 'bill' }>['lines'],
  at: number,
): DeviceState {
  const printed = lines.length === 0 ? {} : { printed: lines }
  // After the last payment the table is given back, with or without a bill.
  if (question.ask === 'bill' && question.which === 'final') return leaving(altered(state, printed))
  const { table } = state.session
  // A POS table provider may send the items only with the bill.
  const known = table === null || lines.length === 0 ? {} : { table: { ...table, bill: lines } }
  return waiting(state, at, { ...printed, ...known, message: lines.length === 0 ? 'NO BILL' : 'BILL PRINTED' })
}

function settled(
  state: Attended,
  { taken, why, openMinor }: Extract<PayAtTableReply, { reply: 'settled' }>,
  at: number,
): DeviceState {
  const { table, shares, script } = state.session
  if (table === null) return leaving(state)
  const now = waiting(state, at, {
    table: { ...table, openMinor },
    paying: null,
    shares: taken ? shares.slice(1) : shares,
    message: taken ? 'PAID' : `NOT PAID: ${(why ?? 'not started').replaceAll('_', ' ').toUpperCase()}`,
    // A script that pays share after share stops at the first failure.
    script:
      taken || script === null ? script : { ...script, steps: script.steps.filter(step => step.do !== 'pay_rest') },
  })
  return openMinor > 0 ? now : withRequest(now, { ask: 'bill', tableId: table.tableId, which: 'final' })
}

function done(state: Attended, { question }: OpenRequest): DeviceState {
  switch (question.ask) {
    case 'pay_other':
      return withRequest(state, { ask: 'look', tableId: question.tableId, paymentId: question.paymentId })
    case 'sign':
      return altered(state, { ask: null })
    case 'tables':
    case 'hold':
    case 'bill':
    case 'pay':
    case 'look':
    case 'let_go':
    case 'report':
      return { ...state, session: null }
  }
}

/** Shows the refusal, and drops what the request began. */
function refused(state: Attended, { question }: OpenRequest, says: string, at: number): DeviceState {
  const now = afterRefusal(state, question, says, at)
  // A script does not look for another way.
  const goesOn = state.session.script === null || question.ask === 'let_go' || question.ask === 'sign'
  return goesOn || !isAttended(now) ? now : stopping(now, says)
}

function afterRefusal(state: Attended, question: OpenRequest['question'], says: string, at: number): DeviceState {
  switch (question.ask) {
    case 'let_go':
      return { ...state, session: null }
    case 'pay':
    case 'pay_other':
      return waiting(state, at, { paying: null, message: says })
    case 'sign':
      return altered(state, { ask: null, message: says })
    case 'tables':
    case 'hold':
    case 'report':
      return waiting(state, at, { message: says })
    case 'bill':
    case 'look':
      return waiting(state, at, { table: null, names: [], paying: null, message: says })
  }
}
