// test/unit/simulator/restore-pause.test.ts — other nodes defer commands on an account while it is restored, and never for ever.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createActivity } from '../../../src/engine/activity.ts'
import { createPauses } from '../../../src/engine/pauses.ts'
import type { CallHandler, CallOutcome, NodeLink } from '../../../src/engine/ports/node-link.ts'
import { createRestorePause } from '../../../src/simulator/nodes/restore-pause.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

/** Two nodes. What becomes of a call of the first is decided by `reaches`. */
function openNodes(reaches: (name: string) => CallOutcome | null = () => null) {
  const clock = new TestClock()
  const log = keepingLog()
  const handlers = new Map<string, CallHandler>()
  const linkOf = (others: readonly string[], handle: NodeLink['handle']): NodeLink => ({
    ...{ others, handle, know() {} },
    async call(_, name, body) {
      const outcome = reaches(name)
      return outcome ?? { outcome: 'answered', body: await handlers.get(name)?.(body, 'first', null) }
    },
  })
  const activity = createActivity()
  const pauses = createPauses()
  const shared = { clock, log, activity, engine: { pause: pauses.begin } }
  const ignored = { pause: () => () => {} }
  const link = linkOf(['second'], () => {})
  const first = createRestorePause({ ...shared, link, random: new SeededRandom(1), engine: ignored })
  createRestorePause({
    ...{ ...shared, random: new SeededRandom(2) },
    link: linkOf([], (name, handler) => void handlers.set(name, handler)),
  })
  return {
    clock,
    log,
    handlers,
    activity,
    isPaused: () => pauses.over('demo') !== undefined,
    begin: () => first.begin('demo'),
  }
}

test('a restore begins when the commands under way on the other node have ended, and that one waits until it is over', async () => {
  const { activity, begin, isPaused } = openNodes()
  activity.begin('demo')
  let begun = false
  const resuming = begin().then(resume => {
    begun = true
    return resume
  })
  await settleTurns()
  deepEqual([begun, isPaused()], [false, true])
  activity.end('demo')
  const resume = await resuming
  equal(isPaused(), true)
  resume()
  await settleTurns()
  equal(isPaused(), false)
})

test('a node that does not answer is logged and not waited for', async () => {
  const { begin, log } = openNodes(() => ({ outcome: 'lost' }))
  await begin()
  deepEqual(
    log.lines.map(({ level, fields }) => [level, fields['node'], fields['outcome']]),
    [['warn', 'second', 'lost']],
  )
})

test('a call that begins a pause and arrives after its end pauses nothing', async () => {
  const late: unknown[] = []
  const nodes = openNodes()
  const { handlers, isPaused } = nodes
  const pause = handlers.get('sandbox-pause')
  handlers.set('sandbox-pause', async body => void late.push(body))
  const resume = await nodes.begin()
  resume()
  await settleTurns()
  await pause?.(late[0], 'first', null)
  equal(isPaused(), false)
})

test('an end that is lost is repeated', async () => {
  let losses = 2
  const { begin, isPaused, clock } = openNodes(name => {
    if (name !== 'sandbox-resume' || losses === 0) return null
    losses -= 1
    return { outcome: 'lost' }
  })
  const resume = await begin()
  resume()
  await settleTurns()
  equal(isPaused(), true)
  await clock.advance(2_000)
  equal(isPaused(), false)
})

test('a node goes on after a minute when the one that restores has died', async () => {
  const { begin, isPaused, clock } = openNodes()
  await begin()
  await clock.advance(59_999)
  equal(isPaused(), true)
  await clock.advance(1)
  equal(isPaused(), false)
})
