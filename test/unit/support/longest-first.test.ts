// test/unit/support/longest-first.test.ts — the order of test files.
import { deepEqual, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { inOrder, LONG_FILES } from '../../support/longest-first.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

function fileOf(name: string, project: string) {
  return { moduleId: `/somewhere/${name}`, project: { name: project } }
}

test('projects stay together, long files come first, and the others keep their order', () => {
  const ordered = inOrder([
    fileOf('test/unit/b.test.ts', 'unit'),
    fileOf('test/api/b.test.ts', 'gateway'),
    fileOf('test/unit/a.test.ts', 'unit'),
    fileOf('test/api/a.test.ts', 'gateway'),
    fileOf('test/simulation/soak.test.ts', 'gateway'),
    fileOf('test/cli/a.test.ts', 'program'),
    fileOf('test/crash/crash.test.ts', 'program'),
  ])
  deepEqual(
    ordered.map(({ moduleId }) => moduleId.replace('/somewhere/test/', '')),
    [
      ...['crash/crash.test.ts', 'cli/a.test.ts', 'simulation/soak.test.ts'],
      ...['api/b.test.ts', 'api/a.test.ts', 'unit/b.test.ts', 'unit/a.test.ts'],
    ],
  )
})

test('every listed long file exists', () => {
  deepEqual(
    LONG_FILES.filter(name => !existsSync(join(ROOT, name))),
    [],
  )
  ok(LONG_FILES.length > 0)
})
