// test/upgrade/doctor.test.ts — `tollgate doctor` finds no fault in the data directory of version 0.1.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { run } from '../cli/tollgate.ts'
import { aCopy, MANIFEST } from './copies.ts'
import { openDirectory } from './program/opened-directory.ts'
import { liveToTheEnd, START_AFTER_MS } from './take-over.ts'

interface Examined {
  readonly healthy: boolean
  readonly findings: readonly { readonly check: string; readonly ok: boolean; readonly told: string }[]
}

async function complaintsAbout(directory: string): Promise<readonly string[]> {
  const { stdout } = await run(['doctor', '--json', '--data', directory])
  const { findings } = JSON.parse(stdout) as Examined
  ok(findings.some(({ check }) => check === 'records'))
  return findings.filter(finding => !finding.ok).map(({ check, told }) => `${check}: ${told}`)
}

test('directly after the kill', async () => {
  deepEqual(await complaintsAbout(aCopy()), [])
})

test('after the take-over', async () => {
  const directory = aCopy()
  const open = await openDirectory(directory, { at: MANIFEST.killedAt + START_AFTER_MS })
  await open.start()
  await liveToTheEnd(open, MANIFEST.credentials)
  await open.close()
  deepEqual(await complaintsAbout(directory), [])
})
