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
    'The connection to the terminal is lost before authorisation, for this time.',
    30_000,
  ),
  link_lost_during_authorisation: fault(
    'terminal',
    'The connection is lost when the acquirer answers; the terminal gets the answer after this time.',
    30_000,
  ),
  link_lost_after_authorisation: fault(
    'terminal',
    'The terminal gets the answer and continues, but its reports arrive after this time.',
    30_000,
  ),
  terminal_restarted: fault(
    'terminal',
    'The terminal restarts before authorisation and loses the transaction.',
    10_000,
  ),
  terminal_restarted_after_approval: fault(
    'terminal',
    'The terminal restarts after the acquirer’s answer and loses the transaction: an approval is reversed.',
    10_000,
  ),
  slow_terminal: fault('terminal', 'Each step of the terminal takes this much longer.', 5_000),
  answer_twice: fault('terminal', 'The terminal reports the end twice.'),
  duplicate_reports: fault('terminal', 'The terminal sends each report twice.'),
  answer_after_cancel: fault('terminal', 'This long after a cancel, the terminal reports a successful payment.', 5_000),
  cancel_ignored: fault('terminal', 'The terminal accepts the cancel but continues the payment.'),
  answer_after_limit: fault(
    'terminal',
    'The terminal continues this long after the time-out of the transaction.',
    5_000,
  ),
  paper_out: fault('terminal', 'The printer has no paper from the start.'),
  paper_runs_out: fault('terminal', 'The paper runs out when printing starts.'),
  cashback_refused: fault('terminal', 'The terminal refuses cashback; the payment continues without it.'),
  wrong_amount: fault(
    'terminal',
    'The terminal charges and reports this much more than requested.',
    100,
    'minor units',
  ),
  wrong_amount_at_end: fault(
    'terminal',
    'The terminal charges the requested amount, but reports and prints this much more at the end. The till gets the charged amount.',
    100,
    'minor units',
  ),
  notification_storm: fault('terminal', 'The terminal sends this many notifications at once.', 200, 'notifications'),

  slow_acquirer: fault('acquirer', 'The acquirer takes this long to answer.', 20_000),
  acquirer_silent: fault('acquirer', 'The acquirer never answers. No money moves.'),
  approval_unknown: fault('acquirer', 'The acquirer processes the payment, but none of its answers arrive.'),
  approval_late: fault('acquirer', 'The acquirer’s decision stays unknown for this long.', 210_000),
  reversal_unanswered: fault(
    'acquirer',
    'The acquirer does not answer a reversal or void for this long; the money stays taken.',
    60_000,
  ),

  http_429: fault('request', 'Answers 429 with Retry-After; the request has no effect.'),
  http_500: fault('request', 'Answers 500; the request has no effect.'),
  http_503: fault('request', 'Answers 503 with Retry-After; the request has no effect.'),
  connection_dropped: fault('request', 'The connection is closed before the request has any effect.'),
  answer_lost: fault('request', 'The request takes effect, but the connection is closed without an answer.'),
  slow_answer: fault('request', 'The request takes effect at once and is answered after this time.', 3_000),
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
        description: 'Default: any.',
      }),
    ),
    path: Type.String({
      maxLength: 300,
      pattern: '^/',
      description: 'Begins with /; `*` matches one segment, `**` any number of them.',
    }),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Default: 1.' })),
  },
  { $id: 'FaultOrder', additionalProperties: false },
)
