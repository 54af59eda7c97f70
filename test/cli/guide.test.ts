// test/cli/guide.test.ts — the guide "Test your till" works as written, and lists all scenarios and faults.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { FAULT_NAMES } from '../../src/simulator/faults/catalogue.ts'
import { SCENARIO_NAMES } from '../../src/simulator/scenarios/built-in.ts'
import { emptyDirectory, serving } from './tollgate.ts'

const GUIDE = readFileSync(fileURLToPath(new URL('../../docs/test-your-till.md', import.meta.url)), 'utf8')

// The pace of the installation, in milliseconds a step: the default, none, and slower than the times of the suite.
test.each(['500', '0', '7000'])('the suite of the guide passes against a gateway with a pace of %s', async pace => {
  const suite = /```js\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? ''
  const file = join(emptyDirectory(), 'till.test.mjs')
  writeFileSync(file, suite)
  const { summary } = await serving(emptyDirectory(), { TOLLGATE_PACE: pace })
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
    env: { PATH: process.env['PATH'], GATEWAY_URL: summary.url },
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', text => (printed += text))
  const [code] = await once(child, 'close')
  equal(code, 0, printed)
  equal(/# pass (\d+)/.exec(printed)?.[1], String(suite.match(/^test\(/gm)?.length))
})

test('the guide lists every scenario and fault', () => {
  const named = new Set(GUIDE.match(/(?<=`)[a-z0-9_]+(?=`)/g))
  deepEqual(
    [...SCENARIO_NAMES, ...FAULT_NAMES].filter(name => !named.has(name)),
    [],
  )
  ok(named.size > SCENARIO_NAMES.length)
})
