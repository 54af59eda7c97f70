// test/api/terminal-notes.test.ts — what real terminals and issuers were asked for outlives snapshots and resets of a sandbox.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { EXCHANGE_KINDS } from '../../src/engine/ports/terminal.ts'
import { AUTHENTICATION_KIND, DEVICE_DATA_KIND } from '../../src/engine/ports/three-d-secure.ts'
import { openShop } from '../support/shop.ts'

test.each([...EXCHANGE_KINDS, AUTHENTICATION_KIND, DEVICE_DATA_KIND])(
  'a %s is neither restored nor reset',
  async kind => {
    const { gateway, till, clock } = await openShop()
    const { store } = gateway
    const write = async (id: string, expectedVersion: number, body: string) =>
      store.commit({
        ...{ account: 'demo', kind, id, expectedVersion, version: expectedVersion + 1, body, parent: '1', live: true },
        ...{
          lockKey: null,
          at: clock.now(),
          events: [],
          effects: [],
          effectsDone: [],
          timers: null,
          idempotency: null,
        },
      })
    await write('before', 0, '{"phase":"intended"}')
    equal((await till.ask('POST', '/sandbox/snapshots', { body: { name: 'early' } })).status, 201)
    await write('before', 1, '{"phase":"sent"}')
    await write('after', 0, '{"phase":"sent"}')
    const bodies = async () => (await store.list('demo', { kind, limit: 10 })).map(({ id, body }) => `${id} ${body}`)
    const sent = ['after {"phase":"sent"}', 'before {"phase":"sent"}']
    equal((await till.ask('POST', '/sandbox/snapshots/early/restore')).status, 204)
    deepEqual(await bodies(), sent)
    equal((await till.ask('POST', '/sandbox/reset')).status, 204)
    deepEqual(await bodies(), sent)
  },
)
