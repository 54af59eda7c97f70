// test/cli/cluster.test.ts — several nodes in live mode as processes, and what the command line says of them.
import { deepEqual, equal, match } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { createDatabase } from '../support/postgres-server.ts'
import { type Env, emptyDirectory, run, serving } from './tollgate.ts'

const LIVE: Env = {
  TOLLGATE_MODE: 'live',
  TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
  TOLLGATE_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
}

interface Status {
  readonly nodes: readonly {
    readonly name: string
    readonly lanes: number
    readonly leaving: boolean
    readonly version: string
    readonly address: string
  }[]
  readonly freeLanes: number
  readonly problems: readonly string[]
}

async function statusOf(env: Env): Promise<{ readonly code: number | null; readonly status: Status }> {
  const { code, stdout } = await run(['cluster', 'status', '--json'], env)
  return { code, status: JSON.parse(stdout) as Status }
}

test('nodes share the work, take over what a killed one leaves, and are shown with their lanes and versions', async () => {
  const env = { ...LIVE, DATABASE_URL: await createDatabase() }
  const first = await serving(emptyDirectory(), env)
  const second = await serving(emptyDirectory(), env)
  const lanes = async () => (await statusOf(env)).status.nodes.map(node => node.lanes)
  await expect.poll(lanes, { timeout: 20_000 }).toEqual([32, 32])
  const { code, status } = await statusOf(env)
  deepEqual([code, status.freeLanes, status.problems], [0, 0, []])
  deepEqual(
    status.nodes.map(({ name }) => name.endsWith(`:${first.child.pid}`)),
    [true, false],
  )
  match(status.nodes[0]?.address ?? '', /^127\.0\.0\.1:\d+$/)
  const text = await run(['cluster', 'status'], env)
  match(text.stdout, /^NODE +STATE +LANES +BEHIND +VERSION/)
  equal(text.stdout.match(/ working +32 /g)?.length, 2)

  first.child.kill('SIGKILL')
  await first.ended
  await expect.poll(lanes, { timeout: 20_000 }).toEqual([0, 64])
  match((await run(['cluster', 'status'], env)).stdout, /silent for \d+ s/)

  const third = await serving(emptyDirectory(), env)
  await expect.poll(lanes, { timeout: 20_000 }).toEqual([0, 32, 32])
  equal((await second.stop()).code, 0)
  await expect.poll(lanes, { timeout: 20_000 }).toEqual([0, 0, 64])
  match((await run(['cluster', 'status'], env)).stdout, / (stopping|stopped) +0 /)
  equal((await third.stop()).code, 0)
  const { code: none, status: ended } = await statusOf(env)
  deepEqual([none, ended.problems], [1, ['No node works on this database.']])
}, 120_000)

test('a node with another vault key does not join', async () => {
  const env = { ...LIVE, DATABASE_URL: await createDatabase() }
  const first = await serving(emptyDirectory(), env)
  const other = { ...env, TOLLGATE_VAULT_KEY: Buffer.alloc(32, 8).toString('base64') }
  const { code, stderr } = await run(['serve', '--data', emptyDirectory()], other)
  equal(code, 1)
  match(stderr, /The vault holds entries under key \w+, which is not among the configured keys/)
  await first.stop()
})

test('a single node on SQLite is said to be one', async () => {
  const { code, stderr } = await run(['cluster', 'status'])
  equal(code, 1)
  match(stderr, /A gateway without DATABASE_URL is a single node, on SQLite\./)
})
