// test/upgrade/backup.test.ts — a data directory of version 0.1 is backed up and restored as it is.
import { deepEqual, equal } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import type { Manifest } from '../../src/cli/backup/manifest.ts'
import { emptyDirectory, run, runJson } from '../cli/tollgate.ts'
import { AT_KILL, aCopy, MANIFEST, opened } from './copies.ts'
import { asRead } from './without-values.ts'

test('every record and event of version 0.1 comes back, and the program of today goes on from there', async () => {
  const backup = join(emptyDirectory(), 'backup')
  const manifest = await runJson<Manifest>(['backup', backup, '--data', aCopy(), '--with-keys'])
  deepEqual([manifest.mode, manifest.records], ['sandbox', AT_KILL.records.length])
  const restored = emptyDirectory()
  onTestFinished(() => rmSync(restored, { recursive: true, force: true }))
  const { code, stderr } = await run(['restore', backup, '--data', restored])
  equal(code, 0, stderr)
  equal((await run(['doctor', '--data', restored])).code, 0)
  const open = await opened({ at: MANIFEST.killedAt }, restored)
  deepEqual(await open.records(), AT_KILL.records.map(asRead))
  deepEqual(await open.idempotency(), AT_KILL.idempotency)
  deepEqual(await open.foldFaults(), [])
})
