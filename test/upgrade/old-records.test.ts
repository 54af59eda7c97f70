// test/upgrade/old-records.test.ts — the program reads each record and event of version 0.1 as version 0.1 does.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { AT_KILL, MANIFEST, opened } from './copies.ts'

test('every member of every record and event is as recorded', async () => {
  const open = await opened({ at: MANIFEST.killedAt })
  const records = await open.records()
  for (const [index, record] of records.entries())
    deepEqual(record, withoutValue(AT_KILL.records[index]), `${record.kind} ${record.id}`)
  equal(records.length, AT_KILL.records.length)
  deepEqual(await open.idempotency(), AT_KILL.idempotency)
})

test('each record is the fold of its events', async () => {
  const open = await opened({ at: MANIFEST.killedAt })
  deepEqual(await open.foldFaults(), [])
})

/** A payment that is over has no value of its authentication any more; its events have it until they are rewritten. */
function withoutValue(entry: (typeof AT_KILL.records)[number] | undefined) {
  const { progress, proof } = (entry?.record ?? {}) as { readonly progress?: string; readonly proof?: object | null }
  const isOver = progress === 'final' || progress === 'revoked'
  return isOver && proof
    ? { ...entry, record: { ...(entry?.record as object), proof: { ...proof, value: '' } } }
    : entry
}
