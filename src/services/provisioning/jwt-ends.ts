// src/services/provisioning/jwt-ends.ts — announces the coming ends of JWTs that the gateway signed.
import { comingJwtEnd } from '../../domain/accounts/api-key.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import { API_KEY, MERCHANT_ACCOUNT } from '../../engine/machines.ts'
import { pagesOfKind } from '../../engine/pages.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store } from '../../engine/ports/store.ts'

/** A JWT that ends soon, by the API key that it names. */
export interface JwtEnd {
  readonly account: MerchantAccountId
  readonly keyId: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** How often the keys are read, in milliseconds: a new JWT ends the announcement within an hour. */
const EVERY_MS = 60 * 60 * 1_000
const DAY_MS = 24 * EVERY_MS

/** Finds the JWTs of enabled accounts whose end is announced at `at`, the first end first. */
export async function comingJwtEnds(store: Pick<Store, 'all' | 'load'>, at: number): Promise<readonly JwtEnd[]> {
  const ends: JwtEnd[] = []
  for await (const page of pagesOfKind(store, API_KEY.kind, { live: true }))
    for (const { body } of page) {
      const key = decodeRecord(API_KEY, body)
      const expiresAt = comingJwtEnd(key, at)
      if (expiresAt !== null && (await isEnabled(store, key.merchantAccount)))
        ends.push({ account: key.merchantAccount, keyId: key.id, expiresAt })
    }
  return ends.toSorted((one, other) => one.expiresAt - other.expiresAt)
}

async function isEnabled(store: Pick<Store, 'load'>, id: MerchantAccountId): Promise<boolean> {
  const stored = await store.load({ account: id, kind: MERCHANT_ACCOUNT.kind, id })
  return stored !== null && decodeRecord(MERCHANT_ACCOUNT, stored.body).status === 'enabled'
}

export interface JwtEnds {
  start(): void
  stop(): void
  /** The coming ends, as of the last hour. */
  coming(): readonly JwtEnd[]
}

/** Reads the keys at the start and each hour, and logs a line a day for each JWT that ends soon. */
export function createJwtEnds({
  store,
  clock,
  log,
  leads = () => true,
}: {
  readonly store: Pick<Store, 'all' | 'load'>
  readonly clock: Clock
  readonly log: Log
  /** Of several nodes one writes the lines. Default: always this one. */
  readonly leads?: () => boolean
}): JwtEnds {
  let ends: readonly JwtEnd[] = []
  let loggedAt: ReadonlyMap<string, number> = new Map()
  let alarm: Alarm | null = null
  let stopped = false

  function logDaily(at: number): void {
    const logged = new Map<string, number>()
    for (const { account, keyId, expiresAt } of ends) {
      const last = loggedAt.get(keyId)
      const isDue = last === undefined || at - last >= DAY_MS
      logged.set(keyId, isDue ? at : last)
      const days = Math.floor((expiresAt - at) / DAY_MS)
      if (isDue)
        log.warn({ account, keyId, ends: new Date(expiresAt).toISOString(), days }, 'web shop JWT expires soon')
    }
    loggedAt = logged
  }

  async function look(): Promise<void> {
    try {
      const at = clock.now()
      ends = await comingJwtEnds(store, at)
      if (!stopped && leads()) logDaily(at)
    } catch (error) {
      if (!stopped) log.warn({ error: String(error) }, 'JWT expiry check failed')
    }
    if (!stopped) alarm = clock.alarm(clock.now() + EVERY_MS, () => void look())
  }

  return {
    start: () => void look(),
    stop() {
      stopped = true
      alarm?.cancel()
    },
    coming: () => ends,
  }
}
