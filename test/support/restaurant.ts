// test/support/restaurant.ts — a shop with tables: its terminals, waiters and POS table providers on sockets.

import { equal } from 'node:assert/strict'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { PatTable } from '../../src/domain/tables/table.ts'
import { decodeRecord } from '../../src/engine/decoding.ts'
import { TABLE, TERMINAL } from '../../src/engine/machines.ts'
import type { ScreenKey, ScreenView } from '../../src/simulator/terminals/screens.ts'
import { PACE_MS, type Shop } from './shop.ts'
import type { Heard, Json, SocketTill } from './socket-till.ts'

/** Steps after which waiting fails the test: twenty minutes. */
const MOST_STEPS = 2_400

async function terminalOf(shop: Pick<Shop, 'gateway'>, tid: string): Promise<Terminal> {
  const entry = await shop.gateway.engine.read(TERMINAL, { account: 'demo', id: tid })
  if (entry === null) throw new Error(`no terminal ${tid}`)
  return entry.record
}

export interface AtTerminal {
  press(key: ScreenKey): Promise<void>
  screen(): Promise<ScreenView>
  /** Advances time until the screen matches. */
  until(is: (screen: ScreenView) => boolean): Promise<ScreenView>
  /** Starts a waiter, and advances time until it has left. */
  play(script: unknown, changes?: { readonly table?: string; readonly waiterId?: string }): Promise<void>
}

/** Operates a terminal. `talk` runs between steps of time, for tills that answer over sockets. */
export function at(shop: Shop, tid: string, talk: () => Promise<void> = async () => {}): AtTerminal {
  const { sandbox } = shop.gateway
  if (sandbox === null) throw new Error('a sandbox is wanted')
  const screen = async () => sandbox.screenOf(await terminalOf(shop, tid))
  const settle = async () => {
    await shop.settle()
    await talk()
    await shop.settle()
  }
  const until: AtTerminal['until'] = async is => {
    await settle()
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const now = await screen()
      if (is(now)) return now
      await shop.clock.advance(PACE_MS)
      await settle()
    }
    throw new Error(`the screen stays ${JSON.stringify(await screen())}`)
  }
  return {
    async press(key) {
      equal(await sandbox.press(await terminalOf(shop, tid), key), 'pressed', JSON.stringify([key, await screen()]))
      await settle()
    },
    screen,
    until,
    async play(script, changes = {}) {
      equal(await sandbox.waiters.send(await terminalOf(shop, tid), { script, ...changes }), 'begun')
      await until(({ waiter, connected }) => waiter === null || !connected)
    },
  }
}

/** All tables in the store, closed ones and table sessions included; oldest first. */
export async function allTables(shop: Pick<Shop, 'store'>): Promise<readonly PatTable[]> {
  const stored = await shop.store.all('table', { limit: 1_000_000 })
  return stored.map(({ body }) => decodeRecord(TABLE, body))
}

/** Answer of a POS table provider to each request; null for none. */
export type TillAnswers = (method: string, params: Json) => object | null

/** Answers all requests since the last call. */
export function answering(till: SocketTill, answers: TillAnswers): () => Promise<void> {
  let seen = 0
  return async () => {
    for (;;) {
      await till.settle()
      const asked = till.heard.slice(seen).filter(({ id, method }) => id !== undefined && method !== undefined)
      seen = till.heard.length
      if (asked.length === 0) return
      for (const { id, method, params } of asked as readonly Required<Heard>[]) {
        const answer = answers(method, params)
        if (answer !== null) till.say({ jsonrpc: '2.0', id, ...answer })
      }
    }
  }
}
