// test/upgrade/old-records.test.ts — the program reads each record and event of version 0.1 as version 0.1 does.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { AT_KILL, MANIFEST, opened } from './copies.ts'
import { asRead } from './without-values.ts'

test('every member of every record and event is as recorded', async () => {
  const open = await opened({ at: MANIFEST.killedAt })
  const records = await open.records()
  const recorded = AT_KILL.records.map(asRead)
  for (const [index, record] of records.entries()) deepEqual(record, recorded[index], `${record.kind} ${record.id}`)
  equal(records.length, AT_KILL.records.length)
  deepEqual(await open.idempotency(), AT_KILL.idempotency)
})

test('each record is the fold of its events', async () => {
  const open = await opened({ at: MANIFEST.killedAt })
  deepEqual(await open.foldFaults(), [])
})
