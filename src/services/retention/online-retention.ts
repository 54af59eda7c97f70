// src/services/retention/online-retention.ts — retention jobs of online payments: webhooks, tokens and vault entries. ADR 30.

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
import { USER } from '../../engine/people-machines.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { ListedRecord, Store } from '../../engine/ports/store.ts'
import type { StoredKind, Vault, VaultEntry } from '../../engine/ports/vault.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from '../../engine/webhook-machines.ts'
import type { Portion, RetentionJob } from './retention-jobs.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Records read per batch. */
const PAGE = 100
/** Upper bound of webhooks per payment; a real payment stays far below it. */
const MOST_OF_ONE = 100
/** An entry of this age that no record refers to is orphaned: a submission takes seconds. */
const ORPHANED_AFTER_MS = HOUR_MS

/** Retention periods, in milliseconds. */
export interface Retention {
  /** A card that was not saved, from its last use. */
  readonly cardMs: number
  /** A webhook delivery, from its last change. */
  readonly webhookMs: number
  /** An unused token, from its issue. */
  readonly tokenMs: number
}

/** Defaults; the settings explain them. */
export const USUAL_RETENTION: Retention = { cardMs: 400 * DAY_MS, webhookMs: 30 * DAY_MS, tokenMs: 30 * DAY_MS }

export interface OnlineRetentionParts {
  readonly engine: Engine
  readonly store: Store
  readonly vault: Vault
  /** The vault's clock. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly retention: Retention
}

/** The retention jobs of online payments. */
export function onlineRetentionJobs(parts: OnlineRetentionParts): readonly RetentionJob[] {
  const entries = (kind: StoredKind, isNeeded: IsNeeded): RetentionJob => ({
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
    entries('one-time-codes', isCodeSecretNeeded),
    entries('authentication-value', isValueNeeded),
  ]
}

async function eraseDeliveries(parts: OnlineRetentionParts, after: number): Promise<Portion> {
  const { store, engine, retention } = parts
  const page = await store.all(WEBHOOK_DELIVERY.kind, { after, limit: PAGE })
  const isDue = (delivery: WebhookDelivery): boolean =>
    !isOpen(delivery) && ageOf(parts, delivery, delivery.changedAt) >= retention.webhookMs
  const due = page.filter(({ body }) => isDue(decodeRecord(WEBHOOK_DELIVERY, body)))
  const gone = due.length === 0 ? 0 : await engine.erase(WEBHOOK_DELIVERY, due)
  return { gone, next: nextBehind(parts, page, retention.webhookMs) }
}

/**
 * Erases unused tokens. Used ones stay between them, so positions that were checked are skipped in later rounds. That needs
 * one clock for all accounts: only then no token becomes old before an earlier one.
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
      const gone =
        dead.length === 0
          ? 0
          : await engine.erase(
              ONLINE_PAYMENT,
              dead.map(({ stored }) => stored),
            )
      // Only up to a record that stays: the position of an erased one may be reused.
      const stays = old.findLast(each => !dead.includes(each))
      if (clocks.shared && stays !== undefined) settledUpTo = stays.stored.position
      return { gone, next: nextBehind(parts, page, retention.tokenMs) }
    },
  }
}

/** Milliseconds since `then`, by the clock of the record's account. */
function ageOf(
  { clocks }: OnlineRetentionParts,
  { merchantAccount }: { readonly merchantAccount: MerchantAccountId },
  then: number,
) {
  return clocks.of(merchantAccount).now() - then
}

/** Start of the next batch. Records are in order of creation: with one clock, all after a too young one are too young. */
function nextBehind(parts: OnlineRetentionParts, page: readonly ListedRecord[], retentionMs: number): number | null {
  const last = page.at(-1)
  if (last === undefined || page.length < PAGE) return null
  const { createdAt, merchantAccount } = decodeAnyRecord(last) as Pick<OnlinePayment, 'createdAt' | 'merchantAccount'>
  return parts.clocks.shared && ageOf(parts, { merchantAccount }, createdAt) < retentionMs ? null : last.position
}

/** Whether an entry is still needed. */
type IsNeeded = (parts: OnlineRetentionParts, entry: VaultEntry & { readonly owner: string }) => Promise<boolean>

/** Erases entries that are old enough and no longer needed. Entries without an owner cannot be checked and stay. */
async function sweepVault(
  parts: OnlineRetentionParts,
  kind: StoredKind,
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

/** A card is needed while its payment runs, and after a success for payments that refer to it. */
const isCardNeeded: IsNeeded = async ({ store, clock, retention }, { account, owner, reference, usedAt }) => {
  const payment = await recordOf(store, ONLINE_PAYMENT, account, owner)
  if (payment?.submission?.card.vault !== reference) return false
  const { progress, statusCode, paymentMethodId, submission } = payment
  if (progress !== 'final' && progress !== 'revoked') return true
  if (statusCode !== 0) return false
  if (clock.now() < (usedAt ?? 0) + retention.cardMs) return true
  // A saved card stays until it expires.
  return paymentMethodId !== null && !isExpired(submission.card.expiry, clock.now())
}

/** A token in the vault is needed for webhooks, which contain it. */
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

/** A driver's secret is needed while its terminal refers to it. */
const isDriverSecretNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const terminal = await recordOf(store, TERMINAL, account, owner)
  if (terminal === null || terminal.status === 'removed') return false
  const settings = Object.values(terminal.driverSettings ?? {})
  return settings.some(setting => isSealed(setting) && setting.vault === reference)
}

/** Chip data are needed until the acquirer has answered. A crash may leave them without a transaction, or after its answer. */
const isChipDataNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const transaction = await recordOf(store, TERMINAL_TRANSACTION, account, owner)
  return transaction !== null && awaitsAcquirer(transaction) && transaction.cardData?.chip === reference
}

/** Schemes take the value of an authentication for 90 days. */
const VALUE_MS = 90 * DAY_MS

const isValueNeeded: IsNeeded = async ({ clock }, { keptAt }) => clock.now() < (keptAt ?? 0) + VALUE_MS

/** The secret of one-time codes is needed while its user can sign in by it. */
const isCodeSecretNeeded: IsNeeded = async ({ store }, { account, owner, reference }) => {
  const user = await recordOf(store, USER, account, owner)
  return user?.status === 'active' && user.oneTimeCodes?.vault === reference
}

/** Reads from the store, not through the engine, so that retention does not fill its cache. */
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
