// test/upgrade/take-over.test.ts — the program takes over a data directory of version 0.1: unfinished work ends, and the
// answers are those of version 0.1.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { unmeantIn } from './compare.ts'
import { KNOWN, MANIFEST, opened } from './copies.ts'
import { readRecorded } from './fixture.ts'
import { type Answered, askAll } from './questions.ts'
import { type End, endOf, liveToTheEnd, START_AFTER_MS } from './take-over.ts'

const ANSWERS = readRecorded<{ readonly actions: readonly Answered[]; readonly questions: readonly Answered[] }>(
  'answers',
)
const { credentials, actions, questions, killedAt } = MANIFEST

test('unfinished work ends, and every answer is as recorded', async () => {
  const open = await opened({ at: killedAt + START_AFTER_MS })
  await open.start()
  compare(await askAll(open, credentials, actions, KNOWN), ANSWERS.actions)
  await liveToTheEnd(open, credentials)
  deepEqual(await endOf(open), readRecorded<End>('end'))
  compare(await askAll(open, credentials, questions, KNOWN), ANSWERS.questions)
})

test('in the recorded end no work is left, and the money agrees with the verdicts', () => {
  const { live, leftOver, moneyFaults, foldFaults } = readRecorded<End>('end')
  deepEqual({ leftOver, moneyFaults, foldFaults }, { leftOver: [], moneyFaults: [], foldFaults: [] })
  for (const kind of ['terminal-transaction', 'report', 'online-payment', 'till-message', 'webhook-delivery'])
    equal(live[kind], undefined, kind)
})

function compare(answered: readonly Answered[], recorded: readonly Answered[]): void {
  deepEqual(unmeantIn(answered, unstruck(recorded, answered) as readonly Answered[]), [])
  equal(answered.length, recorded.length)
}

/** Version 0.1 struck digits out of its own cross references, which are longer than a card number. */
function unstruck(recorded: unknown, now: unknown): unknown {
  if (typeof recorded === 'string' && typeof now === 'string') {
    const [before = '', after = null] = recorded.split(/(?<=\d)\[redacted\]|\[redacted\](?=\d)/)
    const isCrossReference = after !== null && /^\d{22}$/.test(now) && now.startsWith(before) && now.endsWith(after)
    return isCrossReference ? now : recorded
  }
  if (typeof recorded !== 'object' || recorded === null || typeof now !== 'object' || now === null) return recorded
  if (Array.isArray(recorded)) return recorded.map((each, index) => unstruck(each, (now as unknown[])[index]))
  return Object.fromEntries(
    Object.entries(recorded).map(([name, each]) => [name, unstruck(each, (now as Record<string, unknown>)[name])]),
  )
}
