// test/contract/postgres-timelines.test.ts — an old primary that comes back beside the promoted standby: it takes nothing. ADR 73.
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { afterAll, beforeAll, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { type Connections, openConnections } from '../../src/store/postgres/connections.ts'
import { takeGatewayLock } from '../../src/store/postgres/gateway-lock.ts'
import { createTimelines, type Timelines } from '../../src/store/postgres/timelines.ts'
import { openPostgresPair, type Place, type PostgresPair } from '../support/postgres-pair.ts'
import { addressOf } from '../support/postgres-server.ts'

const PORT = { name: 'port', text: "SELECT current_setting('port')::integer AS port" }
const ADD = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' }

let pair: PostgresPair

beforeAll(async () => {
  pair = await openPostgresPair()
  await pair.primary.run('CREATE TABLE notes (id text PRIMARY KEY)')
}, 60_000)

afterAll(() => pair?.close())

function opened(places: readonly Place[], timelines: Timelines = createTimelines()): Connections {
  const address = { ...addressOf(pair.url), hosts: places.map(({ port }) => ({ host: '127.0.0.1', port })) }
  const connections = openConnections({ address, clock: systemClock(), timelines })
  onTestFinished(() => connections.close())
  return connections
}

const portOf = async ({ query }: Connections) => (await query<{ readonly port: number }>(PORT, []))[0]?.port

test('an old primary that comes back takes nothing from a gateway that has met the new one', async () => {
  const { primary, standby } = pair
  const timelines = createTimelines()
  const connections = opened([primary, standby], timelines)
  equal(await portOf(connections), primary.port)
  equal(timelines.newest?.number, 1)

  await primary.kill()
  await pair.promote()
  // It is back without its standby, so nothing but the gateway keeps writes away.
  await primary.start()

  // A new gateway that reaches both takes the new one, in whatever order they are named.
  for (const places of [
    [primary, standby],
    [standby, primary],
  ])
    equal(await portOf(opened(places)), standby.port)

  // The running one meets the old one first.
  const beforeMeeting = opened([primary], timelines)
  equal(await portOf(beforeMeeting), primary.port)
  let held = () => {}
  const waiting = new Promise<void>(resolve => (held = resolve))
  const late = beforeMeeting.transaction(async query => {
    await query(ADD, ['late'])
    await waiting
  })
  equal(await portOf(opened([standby], timelines)), standby.port)
  equal(timelines.newest?.number, 2)
  held()
  // Its transaction is not committed there, and nothing else is.
  await rejects(late, /connection has ended/)
  await rejects(portOf(beforeMeeting), /old primary: its timeline is 1, and 2 has begun elsewhere/)
  await rejects(
    opened([primary], timelines).transaction(query => query(ADD, ['more'])),
    /old primary/,
  )
  equal(await portOf(opened([primary, standby], timelines)), standby.port)
  const lost: Error[] = []
  const lock = {
    as: 'shared',
    clock: systemClock(),
    onLost: (fault: Error) => void lost.push(fault),
    timelines,
  } as const
  const hosts = [{ host: '127.0.0.1', port: primary.port }]
  await rejects(takeGatewayLock({ ...lock, address: { ...addressOf(pair.url), hosts } }), /old primary/)
  deepEqual(await primary.run('SELECT id FROM notes'), [])
  deepEqual(lost, [])
}, 60_000)

test('a user that may not ask for the timeline is served, without the guard', async () => {
  const { standby } = pair
  await standby.run(
    "CREATE USER plain PASSWORD 'plain'; REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC; GRANT ALL ON notes TO plain",
  )
  const address = {
    ...addressOf(pair.url),
    user: 'plain',
    password: 'plain',
    hosts: [{ host: '127.0.0.1', port: standby.port }],
  }
  const timelines = createTimelines()
  const connections = openConnections({ address, clock: systemClock(), timelines })
  onTestFinished(() => connections.close())
  equal(await portOf(connections), standby.port)
  equal(timelines.newest, null)
  await connections.transaction(query => query(ADD, ['plain']))
  match(String((await standby.run('SELECT id FROM notes'))[0]?.['id']), /plain/)
})
