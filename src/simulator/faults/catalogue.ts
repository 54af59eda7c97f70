// src/simulator/faults/catalogue.ts — catalogue of all faults. A fault belongs to a scenario or is armed for requests; some
// take a number, such as a duration.

import { Type } from 'typebox'

/** What the fault hits: the terminal, the acquirer, or the till's request. */
export type FaultTarget = 'terminal' | 'acquirer' | 'request'

export interface FaultKind {
  readonly at: FaultTarget
  readonly title: string
  /** Unit of the number and its default; null for a fault without a number. */
  readonly number: { readonly of: 'ms' | 'minor units' | 'notifications'; readonly usual: number } | null
}

function fault(at: FaultTarget, title: string, usual?: number, of: 'ms' | 'minor units' | 'notifications' = 'ms') {
  return { at, title, number: usual === undefined ? null : { of, usual } } satisfies FaultKind
}

export const FAULTS = {
  link_lost_before_authorisation: fault(
    'terminal',
    'The line to the terminal is lost before it asks for the money, and back after a while.',
    30_000,
  ),
  link_lost_during_authorisation: fault(
    'terminal',
    'The acquirer has answered, and the answer does not reach the terminal for a while.',
    30_000,
  ),
  link_lost_after_authorisation: fault(
    'terminal',
    'The terminal has the answer and goes on, and nobody hears of it for a while.',
    30_000,
  ),
  terminal_restarted: fault(
    'terminal',
    'The terminal restarts before it asks for the money, and has forgotten.',
    10_000,
  ),
  terminal_restarted_after_approval: fault(
    'terminal',
    'The terminal restarts with the approval in its hands, and has forgotten: the money is given back.',
    10_000,
  ),
  slow_terminal: fault('terminal', 'Each step of the terminal takes so much longer.', 5_000),
  answer_twice: fault('terminal', 'The terminal says twice how it has ended.'),
  duplicate_reports: fault('terminal', 'The terminal says everything twice.'),
  answer_after_cancel: fault('terminal', 'A cancelled terminal says a while later that it was paid.', 5_000),
  cancel_ignored: fault('terminal', 'The terminal says that it is stopping, and goes on taking the payment.'),
  answer_after_limit: fault(
    'terminal',
    'The terminal goes on when the limit of the transaction has been over for a while.',
    5_000,
  ),
  paper_out: fault('terminal', 'The paper roll is empty from the start.'),
  paper_runs_out: fault('terminal', 'The paper roll runs out at printing.'),
  cashback_refused: fault('terminal', 'The terminal gives no cashback, and the payment goes on without it.'),
  wrong_amount: fault('terminal', 'The terminal charges and reports so much more than was asked.', 100, 'minor units'),
  wrong_amount_at_end: fault(
    'terminal',
    'The terminal charges what was asked, and reports and prints so much more at the end. The till is told what was charged.',
    100,
    'minor units',
  ),
  notification_storm: fault('terminal', 'So many notifications at once.', 200, 'notifications'),

  slow_acquirer: fault('acquirer', 'The acquirer takes its time.', 20_000),
  acquirer_silent: fault('acquirer', 'The acquirer never answers. No money moves.'),
  approval_unknown: fault('acquirer', 'The acquirer decides and takes the money, and none of its answers arrives.'),
  approval_late: fault('acquirer', 'Nobody can say for so long what the acquirer will answer.', 210_000),
  reversal_unanswered: fault(
    'acquirer',
    'The acquirer does not answer for a while when a payment is reversed or voided, and the money stays taken.',
    60_000,
  ),

  http_429: fault('request', 'Answered with 429 and Retry-After; nothing was done.'),
  http_500: fault('request', 'Answered with 500; nothing was done.'),
  http_503: fault('request', 'Answered with 503 and Retry-After; nothing was done.'),
  connection_dropped: fault('request', 'The connection is cut before anything is done.'),
  answer_lost: fault('request', 'It is done, and the connection is cut instead of an answer.'),
  slow_answer: fault('request', 'It is done at once, and answered a while later.', 3_000),
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]

export interface Fault {
  readonly name: FaultName
  /** 0 for a fault without a number. */
  readonly number: number
}

/** Upper bounds: a duration longer than any time limit, and more notifications than any terminal sends. */
const LARGEST_NUMBER = 3_600_000
const MOST_NOTIFICATIONS = 1_000

/** Parses `name` or `name:number`; null for an unknown fault, or a number that it does not take. */
export function faultIn(text: string): Fault | null {
  const [, name = '', digits] = /^([a-z0-9_]+)(?::(\d{1,7}))?$/.exec(text) ?? []
  if (!Object.hasOwn(FAULTS, name)) return null
  const { number }: FaultKind = FAULTS[name as FaultName]
  if (number === null) return digits === undefined ? { name: name as FaultName, number: 0 } : null
  const value = digits === undefined ? number.usual : Number(digits)
  const most = number.of === 'notifications' ? MOST_NOTIFICATIONS : LARGEST_NUMBER
  return value <= most ? { name: name as FaultName, number: value } : null
}

/** Inverse of `faultIn`. */
export function textOf({ name, number }: Fault): string {
  const kind: FaultKind = FAULTS[name]
  return kind.number === null || kind.number.usual === number ? name : `${name}:${number}`
}

/** Whether the fault prevents a request from doing anything. */
export function preventsWork({ name }: Fault): boolean {
  return name === 'http_429' || name === 'http_500' || name === 'http_503' || name === 'connection_dropped'
}

/** What the fault hits. */
export function targetOf({ name }: Fault): FaultTarget {
  return FAULTS[name].at
}

/** Request body that arms a fault for the next requests to an address. */
export const FAULT_ORDER = Type.Object(
  {
    fault: Type.String({ maxLength: 64, description: 'Name of a fault, or `name:number`.' }),
    method: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'Any, when absent.',
      }),
    ),
    path: Type.String({
      maxLength: 300,
      pattern: '^/',
      description: 'Begins with /; `*` stands for a part of the path, `**` for any number of them.',
    }),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: '1 when absent.' })),
  },
  { $id: 'FaultOrder', additionalProperties: false },
)
