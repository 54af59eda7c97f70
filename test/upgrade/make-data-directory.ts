// test/upgrade/make-data-directory.ts — makes the data directory of version 0.1 that the tests in this folder open.
//
// It needs the program of version 0.1, at the commit below: a later program does not write data of version 0.1. `npx tsx
// test/upgrade/make-data-directory.ts` refuses to run with any other source.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packDirectory } from './fixture.ts'
import { playByHand, playCounter, playReports } from './maker/counter.ts'
import { callerOf, runCommand, startGateway } from './maker/gateway.ts'
import { playManagement } from './maker/management.ts'
import { openWebShop, playOnline } from './maker/online.ts'
import { playTillTables, playUploadedTables } from './maker/restaurant.ts'
import { leaveUnfinished } from './maker/unfinished.ts'
import { openWebhookReceiver, type WebhookReceiver } from './maker/webhook-receiver.ts'
import { playWebhooks } from './maker/webhooks.ts'
import { type Made, recordManifest } from './record-manifest.ts'

/** The last commit with the program of version 0.1. */
const COMMIT = '38c6653038b53735a031160dd28893a19e97657e'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Access tokens of the demo account, from both runs. */
const tokens: string[] = []

refuseOtherPrograms()
const directory = mkdtempSync(join(tmpdir(), 'tollgate-0.1-'))
const receiver = await openWebhookReceiver()
try {
  const harbourKey = await liveThroughHistory(directory, receiver)
  const made = await beKilledAtWork(directory, receiver, harbourKey)
  packDirectory(directory)
  await recordManifest(made)
} finally {
  receiver.close()
  rmSync(directory, { recursive: true, force: true })
}

function refuseOtherPrograms(): void {
  try {
    execFileSync('git', ['diff', '--quiet', COMMIT, '--', 'src', 'package-lock.json'], { cwd: ROOT })
  } catch {
    process.stderr.write(`The source differs from ${COMMIT}, the last one of version 0.1; check that out first.\n`)
    process.exit(1)
  }
}

/** First run, ended by SIGTERM: payments, tables and reports that all finish. Returns the API key of harbour. */
async function liveThroughHistory(data: string, webhooks: WebhookReceiver): Promise<string> {
  const gateway = await startGateway(data)
  const demo = callerOf(gateway, 'demo', 'demo-api-key')
  const euro = callerOf(gateway, 'demo-eur', 'demo-eur-api-key')
  for (const each of [demo, euro]) await each.clock({ do: 'freeze' })
  const harbour = await playManagement(gateway, data)
  await playCounter(demo, 'VCMDEMOSIP0', 'GBP')
  await playByHand(demo, '22160001', 'GBP')
  await playReports(demo, 'VCMDEMOSIP0', '22160002')
  await playUploadedTables(demo, 'VCMDEMOSCD0')
  await playTillTables(gateway, euro, 'VCMEUROSIP0')
  const shop = await openWebShop(gateway, demo, data, 'shop.example')
  await playOnline(shop)
  await runCommand(data, ['vault', 'rotate'])
  await playWebhooks(shop, webhooks)
  await gateway.stop()
  tokens.push(...shop.tokens)
  return harbour.apiKey
}

/** Second run, ended by SIGKILL with as much unfinished work as possible. */
async function beKilledAtWork(data: string, webhooks: WebhookReceiver, harbourKey: string): Promise<Made> {
  const gateway = await startGateway(data)
  const demo = callerOf(gateway, 'demo', 'demo-api-key')
  const euro = callerOf(gateway, 'demo-eur', 'demo-eur-api-key')
  const harbour = callerOf(gateway, 'harbour', harbourKey)
  const demoShop = await openWebShop(gateway, demo, data, 'shop.example')
  const harbourShop = await openWebShop(gateway, harbour, data, 'shop.harbour.example')
  const actions = await leaveUnfinished({ demo, demoShop, euro, harbour, harbourShop }, gateway, webhooks)
  await gateway.kill()
  return {
    killedAt: Date.now(),
    credentials: [
      { account: 'demo', apiKey: demo.apiKey, jwt: demoShop.jwt },
      { account: 'demo-eur', apiKey: euro.apiKey, jwt: null },
      { account: 'harbour', apiKey: harbour.apiKey, jwt: harbourShop.jwt },
    ],
    tokens: { demo: [...tokens, ...demoShop.tokens], harbour: harbourShop.tokens },
    actions,
  }
}
