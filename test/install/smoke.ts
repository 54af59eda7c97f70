// test/install/smoke.ts — tries the program that `npm run build` has made. Run by `npm run smoke`.
import { fileURLToPath } from 'node:url'
import { tryGateway } from './trial.ts'

await tryGateway([process.execPath, fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))])
process.stdout.write(`Smoke test under Node ${process.version} passed: sales, an online payment and all pages.\n`)
