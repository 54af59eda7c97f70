// test/unit/simulator/recorder.test.ts — recorded exchanges: limits, redaction and accounts.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import { createRecorder } from '../../../src/simulator/recorder/recorder.ts'
import { TestClock } from '../../support/test-clock.ts'

const SAID = { from: 'till', to: 'gateway', what: 'start', data: { pin: '1234' } } as const

function open() {
  const clock = new TestClock(1_000)
  return { clock, recorder: createRecorder(oneClock(clock)) }
}

test('an exchange is recorded with times and answer, and without secrets', async () => {
  const { clock, recorder } = open()
  const answered = recorder.note('demo', 'r1', SAID)
  recorder.happened('demo', 'r1', 1)
  await clock.advance(500)
  answered({ cardToken: 'x', ok: true })
  const [first, event] = recorder.of('demo', 'r1')
  deepEqual(first, {
    ...{ from: 'till', to: 'gateway', what: 'start', version: null, times: 1, at: 1_000, answeredAt: 1_500 },
    data: { pin: '[redacted]' },
    answer: { cardToken: '[redacted]', ok: true },
  })
  equal(event?.version, 1)
  recorder.noteBeginning('demo', 'r1', { ...SAID, what: 'first' }, 900)
  deepEqual(
    recorder.of('demo', 'r1').map(({ what, at }) => [what, at]),
    [
      ['first', 900],
      ['start', 1_000],
      ['event', 1_000],
    ],
  )
})

test('a repeated exchange is counted if no other came in between', () => {
  const { recorder } = open()
  recorder.note('demo', 'r1', { ...SAID, what: 'poll' })({ status: 200 })
  deepEqual([recorder.again('demo', 'r1', 'poll', 200), recorder.again('demo', 'r1', 'poll', 304)], [true, false])
  recorder.happened('demo', 'r1', 2)
  equal(recorder.again('demo', 'r1', 'poll', 200), false)
  equal(recorder.again('demo', 'nobody', 'poll', 200), false)
  equal(recorder.of('demo', 'r1')[0]?.times, 2)
})

test('the oldest transactions of an account are dropped first, and a recording is limited', () => {
  const { recorder } = open()
  recorder.note('other', 'theirs', SAID)
  for (let count = 0; count < 2_000; count += 1) recorder.note('demo', `r${count}`, SAID)
  recorder.note('demo', 'r0', SAID)
  recorder.note('demo', 'new', SAID)
  deepEqual(
    ['r0', 'r1', 'new'].map(id => recorder.of('demo', id).length),
    [2, 0, 1],
  )
  equal(recorder.of('other', 'theirs').length, 1)
  for (let count = 0; count < 500; count += 1) recorder.note('demo', 'long', SAID)
  equal(recorder.of('demo', 'long').length, 400)
  recorder.noteBeginning('demo', 'long', { ...SAID, what: 'first' }, 1)
  equal(recorder.of('demo', 'long')[0]?.what, 'start')
  recorder.forget('demo')
  deepEqual([recorder.of('demo', 'new').length, recorder.of('other', 'theirs').length], [0, 1])
  for (let count = 0; count < 100; count += 1) recorder.note(`account ${count}`, 'r', SAID)
  equal(recorder.of('other', 'theirs').length, 0)
})
