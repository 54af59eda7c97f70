// src/simulator/operations/clock.ts — operations on an account's clock: read, advance, set, freeze, release.

import { type Static, Type } from 'typebox'
import { utcTimeOf } from '../../api/local-time.ts'
import { type AccountRequestContext, type Answer, accountOperation } from '../../api/operation.ts'
import { faultSaying, refusedFor } from '../../api/read/field-fault.ts'
import { TIME } from '../../api/schemas.ts'
import type { AccountTime, Moved } from '../controls.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { runsSomething } from './terminals.ts'

/** Ten years: longer than any retention. */
const FURTHEST_MS = 10 * 366 * 24 * 60 * 60 * 1_000

const CLOCK = Type.Object(
  {
    now: TIME,
    nowMs: Type.Integer({ description: 'The same in epoch milliseconds.' }),
    frozen: Type.Boolean(),
    offsetMs: Type.Integer({ description: 'Offset from the system clock; negative when behind it.' }),
    fired: Type.Optional(Type.Integer({ description: 'Timers that fired.' })),
    settled: Type.Optional(
      Type.Boolean({
        description:
          'Whether everything that fell due is done. False: it took too long, and the clock stopped before the target.',
      }),
    ),
  },
  { $id: 'AccountClock' },
)

const plain = <const Name extends string>(name: Name, description: string) =>
  Type.Object({ do: Type.Literal(name, { description }) })

const CLOCK_ORDER = Type.Union(
  [
    Type.Object({
      do: Type.Literal('advance', { description: 'Move the clock forward by this time, at once.' }),
      ms: Type.Integer({ minimum: 0, maximum: FURTHEST_MS }),
    }),
    Type.Object({
      do: Type.Literal('set', { description: 'Move the clock to a point in time. Backwards only while nothing runs.' }),
      to: Type.String({ maxLength: 40, description: 'RFC 3339, such as 2026-12-31T23:59:00Z.' }),
    }),
    plain('freeze', 'Stop the clock.'),
    plain('release', 'Start the clock again, from where it stopped.'),
    plain('reset', 'Return to the system clock.'),
  ],
  { $id: 'ClockOrder' },
)
type ClockOrder = Static<typeof CLOCK_ORDER>

export const getClock = accountOperation({
  name: 'getClock',
  summary: "Read the account's clock",
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/clock',
  responses: { 200: { description: 'The clock.', schema: CLOCK } },
  run: ({ api, account }) => ({ status: 200, body: clockBody(sandboxOf(api).clocks.read(account.id)) }),
})

export const moveClock = accountOperation({
  name: 'moveClock',
  summary: "Move, stop or start the account's clock",
  description:
    'Transactions, reports, time limits, retries, retention and simulated devices of the account use this clock; other ' +
    'accounts are not affected. When the clock moves forward, everything that falls due happens in order before the answer.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/clock',
  right: 'configure',
  body: {
    schema: CLOCK_ORDER,
    examples: {
      'advance by 80 seconds': { do: 'advance', ms: 80_000 },
      'set to the end of the year': { do: 'set', to: '2026-12-31T23:59:00Z' },
      stop: { do: 'freeze' },
    },
  },
  responses: { 200: { description: 'The clock after the change.', schema: CLOCK } },
  refusals: ['clock_in_use'],
  async run(context, { body }) {
    const order = await body()
    if ('refused' in order) return order
    const moved = await obey(context, order.value)
    return 'refused' in moved ? moved : { status: 200, body: clockBody(moved) }
  },
})

async function obey(
  context: AccountRequestContext,
  order: ClockOrder,
): Promise<AccountTime | Moved | Extract<Answer, { refused: unknown }>> {
  const { api, account } = context
  const { clocks } = sandboxOf(api)
  switch (order.do) {
    case 'advance':
      return clocks.advance(account.id, order.ms)
    case 'set': {
      const at = Date.parse(order.to)
      const { now } = clocks.read(account.id)
      if (Number.isNaN(at) || Math.abs(at - now) > FURTHEST_MS)
        return refusedFor(
          faultSaying(
            'to',
            'is not a time, or too far from now',
            'a time such as 2026-12-31T23:59:00Z, at most ten years from now',
          ),
        )
      // A transaction must not start later than it ends.
      if (at < now && (await runsSomething(context))) return { refused: { code: 'clock_in_use' } }
      return clocks.set(account.id, at)
    }
    case 'freeze':
      return clocks.freeze(account.id)
    case 'release':
      return clocks.release(account.id)
    case 'reset': {
      const { offsetMs } = clocks.read(account.id)
      if (offsetMs > 0 && (await runsSomething(context))) return { refused: { code: 'clock_in_use' } }
      return clocks.reset(account.id)
    }
  }
}

function clockBody({ now, ...rest }: AccountTime | Moved) {
  return { now: utcTimeOf(now), nowMs: now, ...rest }
}
