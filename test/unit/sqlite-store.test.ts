import { test } from 'vitest'
import { mkdtempSync } from 'node:fs'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
test('opens', async () => {
  for (let i = 0; i < 4; i++) {
  const t = performance.now()
  const s = await openSqliteStore({ directory: mkdtempSync('/tmp/sb/vt-') })
  const t2 = performance.now()
  await s.close()
  console.log('open', t2 - t, 'close', performance.now() - t2)
  }
})
