#!/usr/bin/env node
// bin/tollgate.js — starts the built program. dist/main.js reads the command line when it is imported.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  await import(main.href)
} else {
  process.stderr.write('Tollgate is not built yet; run `npm run build` first.\n')
  process.exitCode = 1
}
