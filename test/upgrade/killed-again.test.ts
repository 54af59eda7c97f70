// test/upgrade/killed-again.test.ts — a take-over that is killed several times has the same outcome.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { unmeantIn } from './compare.ts'
import { aCopy, KNOWN, MANIFEST, opened } from './copies.ts'
import { readRecorded } from './fixture.ts'
import { openDirectory } from './program/opened-directory.ts'
import { type Answered, askAll } from './questions.ts'
import { type End, endOf, liveToTheEnd, START_AFTER_MS } from './take-over.ts'

const { credentials, actions, questions, killedAt } = MANIFEST
const ANSWERS = readRecorded<{ readonly questions: readonly Answered[] }>('answers')

/** Commits of each run before its kill: at the start, and while time passes. */
const RUNS = [0, 1, 4, 9, 20, 30] as const
/** Time between a kill and the next start. */
const PAUSE_MS = 1_000

test('kills during the take-over do not change its outcome', async () => {
  let directory = aCopy()
  let at = killedAt + START_AFTER_MS
  for (const commits of RUNS) {
    const open = await openDirectory(directory, { at, commits })
    await open.start()
    for (let step = 0; !open.dead && step < 600; step += 1) {
      if (step === 0) await askAll(open, credentials, actions, KNOWN)
      await open.clock.advance(500)
    }
    ok(open.dead, `${commits} commits are more than a take-over takes`)
    directory = aCopy(directory)
    at = open.clock.now() + PAUSE_MS
    await open.close()
  }
  const last = await opened({ at }, directory)
  await last.start()
  await askAll(last, credentials, actions, KNOWN)
  await liveToTheEnd(last, credentials)
  deepEqual(await endOf(last), readRecorded<End>('end'))
  const answered = await askAll(last, credentials, questions, KNOWN)
  const ofStore = (each: readonly Answered[]) => each.filter(one => !isOfMemory(one))
  deepEqual(unmeantIn(ofStore(answered), ofStore(ANSWERS.questions)), [])
  equal(answered.length, ANSWERS.questions.length)
})

/** Exchanges are recorded in memory only, and an exported scenario contains the terminal's waiting time. */
function isOfMemory({ question }: Answered): boolean {
  return /\/(timeline|scenario)$/.test(question.path)
}
