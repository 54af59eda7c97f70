// test/unit/store/timelines.test.ts — which primary counts after a promotion. ADR 73.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { createTimelines, type Timeline } from '../../../src/store/postgres/timelines.ts'

const on = (number: number, cluster = '7411'): Timeline => ({ cluster, number })

test('a primary of the same or a newer timeline is used, one of an older never again', () => {
  const timelines = createTimelines()
  for (const number of [1, 1, 2, 4]) equal(timelines.meet(on(number)), null)
  match(timelines.meet(on(3)) ?? '', /old primary: its timeline is 3, and 4 has begun elsewhere/)
  deepEqual(timelines.newest, on(4))
})

test('what an earlier process has noted counts', () => {
  match(createTimelines(on(2)).meet(on(1)) ?? '', /old primary/)
  equal(createTimelines(on(2)).meet(on(2)), null)
})

test('what another node has met counts, and never takes the number back', () => {
  const timelines = createTimelines()
  timelines.learn(on(9))
  equal(timelines.newest, null, 'a node that has met nothing cannot tell whether it is the same database')
  timelines.meet(on(1))
  timelines.learn(on(2))
  timelines.learn(on(1))
  timelines.learn(on(9, 'another'))
  deepEqual(timelines.newest, on(2))
})

test('another database is taken at a start only', () => {
  const timelines = createTimelines(on(5))
  equal(timelines.meet(on(1, 'moved')), null)
  match(timelines.meet(on(6)) ?? '', /another database: its system identifier is 7411 and was moved/)
})

test('connections to an old primary end once, and others do not', () => {
  const timelines = createTimelines()
  const past: string[] = []
  timelines.meet(on(1))
  timelines.whenPast(on(1), () => past.push('one'))
  timelines.whenPast(on(1), () => past.push('called off'))()
  timelines.meet(on(2))
  timelines.whenPast(on(2), () => past.push('two'))
  timelines.whenPast(on(1, 'another'), () => past.push('another'))
  deepEqual(past, ['one'])
  timelines.learn(on(3))
  deepEqual(past, ['one', 'two'])
})

test('each newer timeline is said once', () => {
  const timelines = createTimelines(on(1))
  const said: number[] = []
  timelines.onNewer(({ number }) => said.push(number))
  for (const number of [1, 2, 2, 1, 3]) timelines.meet(on(number))
  deepEqual(said, [2, 3])
})

test('a failover may lack what a primary that was used without a synchronous standby has answered', () => {
  const timelines = createTimelines(on(1))
  const lacks: boolean[] = []
  timelines.onNewer((_, mayLack) => lacks.push(mayLack))
  timelines.meet(on(2))
  // It was asked and not used: another one is newer.
  timelines.meet(on(3))
  timelines.use(false)
  timelines.meet(on(4))
  timelines.use(true)
  timelines.meet(on(5))
  deepEqual(lacks, [false, false, true, false])
})
