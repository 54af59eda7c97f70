// test/unit/cli/progress.test.ts — progress of long work: a line every two seconds, and an end at a signal.
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { openProgress } from '../../../src/cli/backup/progress.ts'

function watched(stopping: Promise<string> = new Promise(() => {})) {
  const lines: string[] = []
  let now = 0
  const stderr = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream
  const progress = openProgress({ shell: { stderr }, stopping, now: () => now, undone: 'nothing was done' })
  return { progress, lines, at: (ms: number) => (now = ms) }
}

test('short work is silent, long work has a line every two seconds', () => {
  const { progress, lines, at } = watched()
  progress.bytes('copying', 1, 100)
  at(1_999)
  progress.phase('checking')
  at(2_000)
  progress.bytes('copying', 1_250_000, 48_000_000)
  at(3_999)
  progress.bytes('copying', 2, 100)
  at(4_000)
  progress.phase('checking')
  deepEqual(lines, ['copying: 1.3 of 48 MB\n', 'checking\n'])
})

test('the next report after a signal ends the work', async () => {
  const stopping = Promise.resolve('SIGTERM')
  const { progress, lines } = watched(stopping)
  await stopping
  throws(() => progress.phase('checking'), /^Failure: Stopped by SIGTERM; nothing was done\.$/)
  deepEqual(lines, [])
})
