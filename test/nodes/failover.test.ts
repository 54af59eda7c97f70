// test/nodes/failover.test.ts — the primary of the database is killed under sales, its synchronous standby promoted, and the old one
// started again. FAILOVERS=10 does it ten times, each time at another moment, and takes the standby away before; the usual run does it
// once, without that. ADR 73.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { openPostgresPair, type PostgresPair } from '../support/postgres-pair.ts'
import type { RunningNode } from './running-node.ts'
import { headersOf, IDLE, openSite, type Site } from './site.ts'

const { FAILOVERS } = process.env
const TIMES = Number(FAILOVERS ?? 1)
const SEED = Number(process.env['FAILOVERS_SEED'] ?? 1)
/** Of one failover, on a busy machine. */
const ROUND_MS = 300_000
/** Longer than the gateway waits for anything, in milliseconds. */
const PATIENCE_MS = 30_000

/** All that the groups of commits have written into a database. */
const WRITTEN = 'SELECT (SELECT sum(groups) FROM feeds)::int AS groups, (SELECT count(*) FROM events)::int AS events'

test.each(Array.from({ length: TIMES }, (_, index) => SEED + index))(
  'a failover loses nothing that was answered, and the old primary takes nothing (seed %i)',
  async seed => {
    const pair = await openPostgresPair()
    const site = await openSite(pair.url, ['n1', 'n2'], seed)
    try {
      for (const node of site.nodes) await node.start()
      const selling = site.sell()
      selling.catch(() => {})
      const begun = performance.now()
      const report = (what: string) =>
        void process.stdout.write(`failover: ${what} after ${Math.round((performance.now() - begun) / 1_000)} s\n`)
      await Promise.race([selling, failOver(pair, site, report)])
      site.stopSelling()
      await selling
      report(`${site.sales.length} sales have ended`)
      await site.check(pair.standby.run)
      report('nothing is lost or charged twice')
      for (const node of site.nodes) if (node.url !== null) await node.stop()
    } finally {
      await site.close()
      await pair.close()
    }
  },
  ROUND_MS,
)

async function failOver(pair: PostgresPair, site: Site, report: (what: string) => void): Promise<void> {
  const { primary, standby } = pair
  const [one, two] = site.nodes
  ok(one !== undefined && two !== undefined)
  await further(site, 5)

  if (FAILOVERS !== undefined) {
    // Without its standby the primary confirms nothing, and a COMMIT does not wait for ever.
    await standby.kill()
    equal(await statusOfSale(one), 503)
    report('answered 503 without the standby')
    await pair.startStandby()
    await further(site, 5)
    report('sales go on with the standby')
  }

  const urls = site.nodes.map(({ url }) => url)
  // Each time at another moment.
  await further(site, Math.floor(site.random() * 5))
  await primary.kill()
  await pair.promote()
  await further(site, 8)
  report('sales go on at the new primary')
  deepEqual(
    site.nodes.map(({ url }) => url),
    urls,
    'no node was started again',
  )

  // It comes back and waits for no standby. For the nodes the new one is gone.
  await primary.start()
  const before = await primary.run(WRITTEN)
  for (const node of site.nodes) await node.proxies[1]?.refuse()
  deepEqual(await Promise.all([one, two].map(statusOfSale)), [503, 503])
  report('answered 503 beside the old primary')
  await one.kill()
  // A node that has never met the new one asks the nodes that the old one knows.
  const stranger = await site.join('n3')
  await stranger.proxies[1]?.refuse()
  await Promise.all([
    expect(one.start()).rejects.toThrow(/it is an old primary: its timeline is 1, and 2 has begun elsewhere/),
    expect(stranger.start()).rejects.toThrow(/its timeline is 1, and another node works on 2/),
  ])
  report('neither a node that has met the new primary nor one that has not starts')
  deepEqual(await primary.run(WRITTEN), before)

  for (const node of site.nodes) await node.proxies[1]?.listen()
  await one.start()
  report('started again')
  await further(site, 5)
  deepEqual(await primary.run(WRITTEN), before)
}

/** Waits until further sales have ended. */
async function further(site: Site, count: number): Promise<void> {
  const enough = site.sales.length + count
  await expect.poll(() => site.sales.length, { timeout: PATIENCE_MS, interval: 20 }).toBeGreaterThanOrEqual(enough)
}

/** The status with which a node answers a sale at a terminal that no till uses. */
async function statusOfSale({ url }: RunningNode): Promise<number> {
  const reply = await fetch(`${url}/pac/terminals/${IDLE.terminals[0]}/transactions`, {
    method: 'POST',
    headers: headersOf(IDLE.id),
    body: JSON.stringify({ transactionType: 'SALE', amount: 100, currency: 'GBP' }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await reply.arrayBuffer()
  return reply.status
}
