// test/cli/card-data.test.ts — `tollgate doctor --card-data`: no input of a sandbox lets a card number through in clear.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { run } from './tollgate.ts'

test('card numbers that are sent through every input are in no file, log, metric, event, webhook, request, record or refusal', {
  timeout: 240_000,
}, async () => {
  const { code, stdout, stderr } = await run(['doctor', '--card-data', '--json'])
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  deepEqual(
    findings.filter(({ ok: isFine }) => !isFine),
    [],
  )
  deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const [sent] = findings
  ok(Number(/^(\d+) card numbers were sent/.exec(sent?.message ?? '')?.[1]) > 1_500, sent?.message)
  const searched = findings.map(({ check }) => check)
  for (const place of [
    'tollgate.db',
    'tollgate.db-wal',
    'sandbox.db',
    'log',
    'metrics',
    'events',
    'webhooks',
    'requests',
    'refusals',
  ])
    ok(searched.includes(`card data in ${place}`), place)
})
