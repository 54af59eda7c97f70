// test/upgrade/snapshot.test.ts — the program restores a snapshot that version 0.1 took of an account.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { MANIFEST, opened } from './copies.ts'
import { readRecorded } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'
import { callAs, restoreSnapshot, SNAPSHOT, START_AFTER_MS } from './take-over.ts'
import { asRestored } from './without-values.ts'

const { credentials, killedAt } = MANIFEST

test('its records and events are as recorded, and its unfinished work ends', async () => {
  const open = await opened({ at: killedAt + START_AFTER_MS })
  await open.start()
  const recorded = readRecorded<readonly DecodedRecord[]>('records-of-snapshot').map(asRestored)
  const restored = await restoreSnapshot(open, credentials)
  for (const [index, record] of restored.entries()) deepEqual(record, recorded[index], `${record.kind} ${record.id}`)
  equal(restored.length, recorded.length)
  deepEqual(await open.foldFaults(), [])
  await callAs(open, credentials, SNAPSHOT.account, 'POST', '/sandbox/clock', { do: 'release' })
  await open.clock.advance(12 * 3_600_000)
  const own = (await open.records()).filter(({ account }) => account === SNAPSHOT.account)
  const running = own.filter(({ live, kind }) => live && /transaction|report|payment|message|delivery/.test(kind))
  deepEqual(
    running.map(({ kind, id }) => `${kind} ${id}`),
    [],
  )
  deepEqual([await open.foldFaults(), await open.moneyFaults()], [[], []])
})
