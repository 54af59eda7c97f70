// test/unit/services/retention-jobs.test.ts — retention jobs run at the start, in portions and periodically, also after failures.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createRetentionJobs, type RetentionJob } from '../../../src/services/retention/retention-jobs.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

const HOUR_MS = 3_600_000

function keep(portion: RetentionJob['portion']) {
  const clock = new TestClock()
  const log = keepingLog()
  const others: number[] = []
  const other: RetentionJob = {
    ...{ name: 'cellar', everyMs: 24 * HOUR_MS },
    async portion() {
      others.push(clock.now())
      return { gone: 0, next: null }
    },
  }
  const jobs = [{ name: 'attic', everyMs: 24 * HOUR_MS, portion }, other]
  const retentionJobs = createRetentionJobs({ store: openMemoryStore(), clock, log, jobs })
  retentionJobs.start()
  return { clock, log, retentionJobs, others }
}

test('a job runs portion by portion, logs one line, and runs again a day later', async () => {
  const seen: number[] = []
  const { clock, log, retentionJobs } = keep(async after => {
    seen.push(after)
    return { gone: 2, next: after < 20 ? after + 10 : null }
  })
  await clock.advance(0)
  deepEqual(seen, [0])
  await clock.advance(1_000)
  deepEqual(seen, [0, 10, 20])
  const told = log.lines.filter(line => JSON.stringify(line).includes('retention job completed'))
  equal(told.length, 1)
  equal(JSON.stringify(told[0]).includes('"erased":6'), true)
  await clock.advance(24 * HOUR_MS)
  deepEqual(seen, [0, 10, 20, 0, 10, 20])
  retentionJobs.stop()
})

test('a failed job is logged and retried, and does not stop other jobs', async () => {
  let failures = 0
  const { clock, log, retentionJobs, others } = keep(async () => {
    failures += 1
    if (failures === 1) throw new Error('the disk is full')
    return { gone: 0, next: null }
  })
  await clock.advance(0)
  equal(log.lines.filter(line => JSON.stringify(line).includes('the disk is full')).length, 1)
  await clock.advance(10 * 60_000)
  equal(failures, 2)
  equal(others.length, 1)
  retentionJobs.stop()
})

test('a stopped job has no alarm and does not run again', async () => {
  let portions = 0
  const { clock, retentionJobs } = keep(async () => {
    portions += 1
    return { gone: 0, next: 1 }
  })
  await clock.advance(0)
  retentionJobs.stop()
  equal(clock.alarms, 0)
  await clock.advance(48 * HOUR_MS)
  equal(portions, 1)
})
