// src/services/retention/online-retention.ts — how long what belongs to online payments is kept, and what goes when. ADR 30.

import { isSealed } from '../../domain/accounts/terminal.ts'
import { isExpired } from '../../domain/card-number.ts'
import { awaitsAcquirer } from '../../domain/counter/transaction-decisions.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import { isOpen, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts'
import type { WebhookSecrets } from '../../domain/webhooks/webhook-secrets.ts'
import { decodeAnyRecord } from '../../engine/all-machines.ts'
import { decodeRecord, type OfRecords } from '../../engine/decoding.ts'
import type { Engine } from '../../engine/engine.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { ListedRecord, Store } from '../../engine/ports/store.ts'
import type { KeptEntry, KeptKind, Vault } from '../../engine/ports/vault.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from '../../engine/webhook-machines.ts'
import type { Portion, RetentionJob } from './retention-jobs.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Records looked at in one portion. */
const PAGE = 100
/** More messages than one payment can have. */
const MOST_OF_ONE = 100
/** What was kept so long ago and is referred to by nobody will not be: a submission takes seconds. */
const ORPHANED_AFTER_MS = HOUR_MS

/** In milliseconds. */
export interface Retention {
  /** A card that nobody asked to save, from its last use on. */
  readonly cardMs: number
  /** A message to a shop's server, from its last change on. */
  readonly webhookMs: number
  /** A token that nobody has used, from its making on. */
  readonly tokenMs: number
}

/** The defaults of the settings, where the reasons stand. */
export const USUAL_RETENTION: Retention = { cardMs: 400 * DAY_MS, webhookMs: 30 * DAY_MS, tokenMs: 30 * DAY_MS }

export interface OnlineRetentionParts {
  readonly engine: Engine
  readonly store: Store
  readonly vault: Vault
  /** The vault's. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly retention: Retention
}

/** What housekeeping does for online payments. */
export function onlineRetentionJobs(parts: OnlineRetentionParts): readonly RetentionJob[] {
  const entries = (kind: KeptKind, isNeeded: IsNeeded): RetentionJob => ({
    name: `vault: ${kind}`,
    everyMs: DAY_MS,
    portion: after => sweepVault(parts, kind, after, isNeeded),
  })
  return [
    { name: 'delivered webhooks', everyMs: DAY_MS, portion: after => eraseDeliveries(parts, after) },
    deadTokens(parts),
    entries('card', isCardNeeded),
    entries('access-token', isTokenNeeded),
    entries('webhook-secret', isSecretNeeded),
    entries('driver-secret', isDriverSecretNeeded),
    entries('chip-data', isChipDataNeeded),
  ]
}

async function eraseDeliveries(parts: OnlineRetentionParts, after: number): Promise<Portion> {
  const { store, engine, retention } = parts
  const page = await store.all(WEBHOOK_DELIVERY.kind, { after, limit: PAGE })
  const isDue = (delivery: WebhookDelivery): boolean =>
    !isOpen(delivery) && ageOf(parts, delivery, delivery.changedAt) >= retention.webhookMs
  const due = page.filter(({ body }) => isDue(decodeRecord(WEBHOOK_DELIVERY, body)))
  const gone = due.length === 0 ? 0 : await engine.erase(due)
  return { gone, next: nextBehind(parts, page, retention.webhookMs) }
}

/**
 * Tokens that nobody has used. Those that were used stand among them for good, so what was looked at once is not looked at
 * again, as long as all accounts live by one clock and no token can become old before an earlier one.
 */
function deadTokens(parts: OnlineRetentionParts): RetentionJob {
  const { store, engine, clocks, retention } = parts
  let settledUpTo = 0
  const isOld = (payment: OnlinePayment): boolean => ageOf(parts, payment, payment.createdAt) >= retention.tokenMs
  return {
    name: 'unused access tokens',
    everyMs: DAY_MS,
    async portion(after) {
      const page = await store.all(ONLINE_PAYMENT.kind, { after: Math.max(after, settledUpTo), limit: PAGE })
      const old = page
        .map(stored => ({ stored, payment: decodeRecord(ONLINE_PAYMENT, stored.body) }))
        .filter(({ payment }) => isOld(payment))
      const dead = old.filter(({ payment: { token } }) => token === 'expired' || token === 'revoked')
      const gone = dead.length === 0 ? 0 : await engine.erase(dead.map(({ stored }) => stored))
      // Of those that stay: a place that has become free may be given to another record.
      const stays = old.findLast(each => !dead.includes(each))
      if (clocks.shared && stays !== undefined) settledUpTo = stays.stored.position
      return { gone, next: nextBehind(parts, page, retention.tokenMs) }
    },
  }
}

/** Milliseconds since then, by the clock of the record's account. */
function ageOf(
  { clocks }: OnlineRetentionParts,
  { merchantAccount }: { readonly merchantAccount: MerchantAccountId },
  then: number,
) {
  return clocks.of(merchantAccount).now() - then
}

/** Records lie in order of creation: behind one that is too young, all are, where they live by one clock. */
function nextBehind(parts: OnlineRetentionParts, page: readonly ListedRecord[], keptMs: number): number | null {
  const last = page.at(-1)
  if (last === undefined || page.length < PAGE) return null
  const { createdAt, merchantAccount } = decodeAnyRecord(last) as Pick<OnlinePayment, 'createdAt' | 'merchantAccount'>
  return parts.clocks.shared && ageOf(parts, { merchantAccount }, createdAt) < keptMs ? null : last.position
}

/** Whether an entry still serves somebody. */
type IsNeeded = (parts: OnlineRetentionParts, entry: KeptEntry & { readonly owner: string }) => Promise<boolean>

/** Looks at entries that are old enough to be judged. Those that name no owner cannot be, and stay. */
async function sweepVault(
  parts: OnlineRetentionParts,
  kind: KeptKind,
  after: number,
  isNeeded: IsNeeded,
): Promise<Portion> {
  const { vault, clock } = parts
  const page = await vault.entries(kind, after, PAGE)
  let gone = 0
  for (const entry of page) {
    const { owner, keptAt } = entry
    if (owner === null || keptAt === null || clock.now() < keptAt + ORPHANED_AFTER_MS) continue
    if (!(await isNeeded(parts, { ...entry, owner })) && (await vault.forgetUnused(entry))) gone += 1
  }
  return { gone, next: page.length < PAGE ? null : (page.at(-1)?.position ?? null) }
}

/** A card serves while its payment runs, and after a success for whatever may refer to it: online reference 3.3. */
const isCardNeeded: IsNeeded = async ({ store, clock, retention }, { account, owner, reference, usedAt }) => {
  const payment = await recordOf(store, ONLINE_PAYMENT, account, owner)
  if (payment?.submission?.card.vault !== reference) return false
  const { progress, statusCode, paymentMethodId, submission } = payment
  if (progress !== 'final' && progress !== 'revoked') return true
  if (statusCode !== 0) return false
  if (clock.now() < (usedAt ?? 0) + retention.cardMs) return true
  // A saved card is its customer's until it has expired.
  return paymentMethodId !== null && !isExpired(submission.card.expiry, clock.now())
}

/** A token in clear serves the messages that name it. */
const isTokenNeeded: IsNeeded = async (parts, { account, owner, reference }) => {
  const { store, retention } = parts
  const query = { kind: WEBHOOK_DELIVERY.kind, parent: owner, limit: MOST_OF_ONE }
  const deliveries = (await store.list(account, query)).map(({ body }) => decodeRecord(WEBHOOK_DELIVERY, body))
  if (deliveries.some(({ tokenReference }) => tokenReference === reference)) return true
  const payment = await recordOf(store, ONLINE_PAYMENT, account, owner)
  if (payment?.order.webHook?.vault !== reference || payment.token === 'expired' || payment.token === 'revoked')
    return false
  return payment.finishedAt === null || ageOf(parts, payment, payment.finishedAt) < retention.webhookMs
}

const isSecretNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const secrets = await recordOf(store, WEBHOOK_SECRETS, account, owner)
  return secrets !== null && secretsIn(secrets).includes(reference)
}

/** A terminal's driver needs what the terminal refers to. */
const isDriverSecretNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const terminal = await recordOf(store, TERMINAL, account, owner)
  if (terminal === null || terminal.status === 'removed') return false
  const settings = Object.values(terminal.driverSettings ?? {})
  return settings.some(setting => isSealed(setting) && setting.vault === reference)
}

/** What a crash has left between the vault and the transaction, or behind it. */
const isChipDataNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const transaction = await recordOf(store, TERMINAL_TRANSACTION, account, owner)
  return transaction !== null && awaitsAcquirer(transaction) && transaction.cardData?.chip === reference
}

/** Past the memory of the engine, which is for those who are asked about. */
async function recordOf<Record>(
  store: Store,
  machine: OfRecords<Record> & { readonly kind: string },
  account: MerchantAccountId,
  id: string,
): Promise<Record | null> {
  const stored = await store.load({ account, kind: machine.kind, id })
  return stored === null ? null : decodeRecord(machine, stored.body)
}

function secretsIn({ current, previous }: WebhookSecrets): readonly string[] {
  return [current, ...previous].map(({ reference }) => reference)
}
