// test/unit/store/commit-lanes.test.ts — what waits for groups of commits on Postgres.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { Fault } from '../../../src/engine/fault.ts'
import { createCommitLanes } from '../../../src/store/postgres/commit-lanes.ts'
import { CommitUnknown } from '../../../src/store/postgres/faults.ts'
import type { Outcome, Work } from '../../../src/store/postgres/group.ts'
import { change } from '../../support/changes.ts'
import { TestClock } from '../../support/test-clock.ts'

const workOf = (id: string): Work => ({ type: 'commit', account: 'shop', commit: change(id) })

/** Lanes whose groups end when the test says so. */
function lanesOf() {
  const groups: { readonly works: readonly Work[]; end(outcomes: readonly Outcome[]): void }[] = []
  const lanes = createCommitLanes({
    write: works => new Promise(end => groups.push({ works, end })),
    ...{ clock: new TestClock(), onGroup: () => {}, distributed: false, where: 'The database' },
  })
  return { lanes, groups }
}

const endOfTurn = () => new Promise<void>(resolve => setImmediate(resolve))

test('when a group ends unknown, what waits behind it is refused at once, and what follows is tried', async () => {
  const { lanes, groups } = lanesOf()
  const settled: string[] = []
  const submit = (id: string) =>
    lanes.submit(workOf(id)).then(
      outcome => void settled.push(`${id} ${outcome}`),
      (error: unknown) => void settled.push(`${id} ${error instanceof Fault ? error.code : error}`),
    )
  const first = submit('first')
  await endOfTurn()
  equal(groups.length, 1)
  const second = submit('second')
  await endOfTurn()
  equal(groups.length, 1, 'its lane is busy')
  groups[0]?.end([{ error: new CommitUnknown({ pid: 1, startedAt: '1' }, { detail: 'The database' }) }])
  await Promise.all([first, second])
  deepEqual(settled.toSorted(), ['first commit_unknown', 'second store_unreachable'])
  equal(groups.length, 1, 'nothing of it was begun')
  const third = submit('third')
  await endOfTurn()
  groups[1]?.end(['written'])
  await third
  equal(settled.at(-1), 'third written')
  await lanes.drain()
})

test('when a group fails otherwise, what waits behind it is written', async () => {
  const { lanes, groups } = lanesOf()
  const first = lanes.submit(workOf('first')).catch(() => 'failed')
  await endOfTurn()
  const second = lanes.submit(workOf('second'))
  await endOfTurn()
  groups[0]?.end([{ error: new Fault('store_unreachable') }])
  equal(await first, 'failed')
  await endOfTurn()
  groups[1]?.end(['written'])
  equal(await second, 'written')
})
