// web/console/sandbox/fault.ts — faults of the sandbox, and the requests that they are armed for.

/** A fault that there is, as `/sandbox/faults` lists it. */
export interface FaultKind {
  readonly name: string
  /** What it hits. */
  readonly at: 'terminal' | 'acquirer' | 'request'
  readonly title: string
  readonly number: { readonly of: string; readonly usual: number } | null
}

export interface ArmedFault {
  readonly fault: string
  readonly method: string | null
  readonly path: string
  /** Requests that it will still hit. */
  readonly times: number
}

/** A fault to arm. */
export interface FaultOrder {
  readonly fault: string
  readonly method?: string
  readonly path: string
  readonly times: number
}

/** Requests that people want to disturb. `path` null: any that they type. */
export interface Aim {
  readonly id: string
  readonly name: string
  readonly method: string | null
  readonly path: string | null
  /** What a fault has to hit. */
  readonly at: readonly FaultKind['at'][]
}

const START: Aim = {
  ...{ id: 'start', name: 'The next start on any terminal', method: 'POST', path: '/pac/terminals/*/transactions' },
  at: ['terminal', 'acquirer', 'request'],
}

const AIMS: readonly Aim[] = [
  START,
  {
    ...{ id: 'poll', name: 'The next poll of a transaction', method: 'GET', path: '/pac/terminals/*/transactions/*' },
    at: ['request'],
  },
  {
    ...{ id: 'pay', name: 'The next online payment', method: 'POST', path: '/api/payments/*' },
    at: ['acquirer', 'request'],
  },
  {
    ...{ id: 'token', name: 'The next access token', method: 'POST', path: '/v1/access-tokens' },
    at: ['request'],
  },
  { id: 'path', name: 'Another path…', method: null, path: null, at: ['terminal', 'acquirer', 'request'] },
]

/** As many as the gateway arms of one fault. */
const MOST_TIMES = 10_000

/** Requests that a fault can be armed for. */
export function aimsOf({ at }: FaultKind): readonly Aim[] {
  return AIMS.filter(aim => aim.at.includes(at))
}

/** The aim that is chosen; the start of a transaction when the fault cannot have it. */
export function aimIn(fault: FaultKind, id: string): Aim {
  return aimsOf(fault).find(aim => aim.id === id) ?? START
}

export interface Typed {
  /** Empty: the usual. */
  readonly number: string
  readonly aim: Aim
  readonly path: string
  readonly times: string
}

/** What is typed in the form, as the gateway takes it; null when something is no number or no path. */
export function orderOf(fault: FaultKind, { number, aim, path, times }: Typed): FaultOrder | null {
  const count = Number(times)
  if (!/^\d{1,5}$/.test(times) || count < 1 || count > MOST_TIMES) return null
  if (!/^\d{0,7}$/.test(number)) return null
  const to = aim.path ?? path.trim()
  if (!to.startsWith('/')) return null
  return {
    fault: fault.number === null || number === '' ? fault.name : `${fault.name}:${Number(number)}`,
    ...(aim.method === null ? {} : { method: aim.method }),
    path: to,
    times: count,
  }
}

/** What an armed fault waits for, such as `the next 3 requests: POST /pac/**`. */
export function targetInWords({ method, path, times }: ArmedFault): string {
  return `the next ${times === 1 ? 'request' : `${times} requests`}: ${method ?? 'any method,'} ${path}`
}
