// src/acquirers/iso8583/orders/order-parts.ts — what the steps of an order share.
import type { MerchantAccountId } from '../../../domain/ids.ts'
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Log } from '../../../engine/ports/log.ts'
import type { PaymentKeys } from '../../../engine/ports/payment-keys.ts'
import type { Vault } from '../../../engine/ports/vault.ts'
import type { Values } from '../compose.ts'
import type { HostConnection } from '../connection/host-connection.ts'
import type { Dialect } from '../dialect.ts'
import type { Journal, OrderNote } from './journal.ts'
import type { Numbers } from './numbers.ts'

export interface OrderParts {
  readonly dialect: Dialect
  readonly connection: HostConnection
  readonly journal: Journal
  readonly numbers: Numbers
  readonly vault: Pick<Vault, 'storeText' | 'openText' | 'forget'>
  readonly clock: Clock
  readonly log: Log
  /** Values of the fields that the dialect lists as settings, for an account. */
  readonly settingsOf: (account: MerchantAccountId) => Values
  readonly timeZone: string
  /** Keys of codes and PINs; null when there are none. */
  readonly keys: PaymentKeys | null
  /** Name of the base key of the terminals; null when PIN blocks are not forwarded. */
  readonly terminalKey: string | null
}

/** How long after its own time limits another process takes up an order, in milliseconds. */
export const GRACE_MS = 5_000

/** The fields of log lines about an order. */
export function logged({ account, orderId, kind, sent }: OrderNote): Record<string, unknown> {
  return { account, orderId, kind, stan: sent?.fields[11], rrn: sent?.fields[37] }
}

/** The identity for which audit numbers are unique, by the fields of the dialect. */
export function identityOf({ document }: Dialect, values: Values): string {
  return document.identity.stanPer.map(number => String(values[number] ?? '').trim()).join('/')
}

/** Whether it was sent as an advice: the host may not decline it, and it is repeated until it is answered. */
export function isAdvice(mti: string): boolean {
  return mti.charAt(2) === '2'
}
