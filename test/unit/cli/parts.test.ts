// test/unit/cli/parts.test.ts — what the program does when its store ends.
import { deepEqual, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { onTestFinished, test } from 'vitest'
import { openParts } from '../../../src/cli/parts.ts'
import { readConfig } from '../../../src/config.ts'
import { Fault } from '../../../src/engine/fault.ts'
import { change } from '../../support/changes.ts'

test('work that is under way when the gateway stops does not make it fail', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-parts-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const read = readConfig({ TOLLGATE_DATA: directory })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const gone: Fault[] = []
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const { parts, close } = await openParts(read.config, nowhere, fault => gone.push(fault))
  await parts.store.commit(change('before'))
  await close()
  await rejects(parts.store.commit(change('late')), error => error instanceof Fault && error.code === 'store_gone')
  deepEqual(gone, [])
})
