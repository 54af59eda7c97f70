// test/cli/table-guide.test.ts — the till in docs/pay-at-table.md works as written.
import { equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { emptyDirectory, serving } from './tollgate.ts'

const GUIDE = readFileSync(fileURLToPath(new URL('../../docs/pay-at-table.md', import.meta.url)), 'utf8')

test('the till of the guide gets its table paid in three shares, and settles it', async () => {
  const program = /A till in one program[\s\S]*?```js\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? ''
  const { summary } = await serving(emptyDirectory(), { TOLLGATE_PACE: '20' })
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env['PATH'], GATEWAY_URL: summary.url },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (printed += text))
  const [code] = await once(child, 'close')
  equal(code, 0, printed)
  equal(printed.match(/^paid (2034|2033|2033) and 0 on top, \w+/gm)?.length, 3, printed)
  match(printed, /^settled: 6100 of 6100$/m)
})
