// src/services/online/payments.ts — use cases of online payments: issue tokens, submit payments, authenticate payers.

import type { SecurityCode } from '../../domain/card-number.ts'
import type { Closing } from '../../domain/closing.ts'
import type { AccessToken, MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import type { TokenOrder } from '../../domain/online/access-token.ts'
import type { OnlinePayment, OnlineTimer } from '../../domain/online/payment.ts'
import type { AbandonReason, OnlineCommand } from '../../domain/online/payment-decisions.ts'
import type { OnlinePaymentEvent, Submission } from '../../domain/online/payment-events.ts'
import type { PriorAuthentication } from '../../domain/online/three-d-secure.ts'
import type { Entry } from '../../engine/cache.ts'
import { accountOfChallenge } from '../../engine/challenge-ids.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import type { Change, Feed } from '../../engine/feed.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import {
  challengeKey,
  crossReferenceKey,
  merchantTransactionKey,
  ONLINE_PAYMENT,
  paymentMethodKey,
} from '../../engine/online-machine.ts'
import type { Acquirer } from '../../engine/ports/acquirer.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store, StoredRecord, StoredTimer } from '../../engine/ports/store.ts'
import type { DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { createTransientSecrets, type TransientSecrets } from '../transient-secrets.ts'
import { createDeviceDataSteps, type DeviceDataSteps } from './device-data.ts'
import { createCodesElsewhere, onlineAcquiringPerformers } from './payment-acquiring.ts'
import { createAuthenticationReports, lookUpPerformer } from './payment-authentication.ts'
import { createOnlineFacts } from './payment-facts.ts'
import { type Original, priorAuthenticationFor } from './prior-authentication.ts'
import { freshToken, idOfToken, readToken } from './tokens.ts'

/** Digits of a cross reference. */
const REFERENCE_DIGITS = 22
const METHOD_BYTES = 18

type Done = Executed<OnlinePayment, OnlinePaymentEvent>
interface PaymentKey {
  readonly account: MerchantAccountId
  readonly id: PaymentId
}

export interface IssueOrder extends Omit<TokenOrder, 'webHook'> {
  readonly webHookUrl: string | null
}

export interface OnlinePayments extends DeviceDataSteps {
  /** Issues a token for an order. The token is not stored in clear and cannot be shown again. */
  issue(
    account: MerchantAccountId,
    order: IssueOrder,
  ): Promise<{ readonly token: AccessToken; readonly record: OnlinePayment } | Refused>
  /** The payment of a token as it was sent; null when there is none. */
  find(sent: string): Promise<Entry<OnlinePayment> | null>
  findById(key: PaymentKey): Promise<Entry<OnlinePayment> | null>
  /** The payment with this cross reference in this account, or null. */
  referred(account: MerchantAccountId, crossReference: string): Promise<OnlinePayment | null>
  /** The payment of the order with this id, which the shop has chosen, or null. */
  ordered(account: MerchantAccountId, merchantTransactionId: string): Promise<OnlinePayment | null>
  /** The payment whose card was saved under this id, or null. */
  saved(account: MerchantAccountId, paymentMethodId: string): Promise<OnlinePayment | null>
  /**
   * Submits the payment, which uses the token. The security code is kept in memory only. The same submission again, before the
   * acquirer is asked, changes nothing else: its answer was lost.
   */
  submit(payment: OnlinePayment, submission: Submission, code: SecurityCode | null): Promise<Done>
  /** The authentication with which the issuer is asked about a payment without its payer; null when it is not asked. */
  priorAuthentication(payment: OnlinePayment, original: Original): Promise<PriorAuthentication | null>
  /** The payment of the challenge with this `md`, or null. */
  challenged(md: string): Promise<OnlinePayment | null>
  /**
   * Completes a challenge when the payer has returned from the issuer's page: asks the directory server for the result for up
   * to `limitMs` milliseconds.
   */
  completeChallenge(payment: OnlinePayment, limitMs: number): Promise<void>
  /** Cancels for the payer: ends the payment uncharged, or changes nothing when the acquirer was asked before. */
  abandon(key: PaymentKey, reason: AbandonReason): Promise<Done>
  /** How far the payer is with the issuer. Changes nothing. */
  challengeState(payment: OnlinePayment): Promise<ChallengeState>
  resume(key: PaymentKey): Promise<Done>
  revoke(key: PaymentKey): Promise<Done>
  /** Resolves a payment whose acquirer does not respond. ADR 31. */
  close(key: PaymentKey, closing: Closing): Promise<Done>
  /** The record once `isSo` returns true, or the latest one after `limitMs` milliseconds. @throws Error when there is none */
  until(key: PaymentKey, isSo: (record: OnlinePayment) => boolean, limitMs: number): Promise<OnlinePayment>
  readonly codes: TransientSecrets<SecurityCode>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

/**
 * The issuer waits for the payer; has decided while the payer has not returned; the payment goes on; it has ended unpaid, such as
 * after its time or by a revocation; nothing is left to do.
 */
export const CHALLENGE_STATES = ['asking', 'decided', 'paying', 'unpaid', 'over'] as const
export type ChallengeState = (typeof CHALLENGE_STATES)[number]

type Refused = Extract<Done, { refused: unknown }>

export interface OnlinePaymentsParts {
  readonly engine: Engine
  readonly store: Store
  readonly feed: Feed
  readonly clocks: Clocks
  /** Clock of waiting callers, independent of the account's clock. */
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
  readonly vault: Vault
  /** To nodes that have security codes. */
  readonly link: NodeLink
}

function decoded(stored: StoredRecord | null): OnlinePayment | null {
  return stored === null ? null : decodeRecord(ONLINE_PAYMENT, stored.body)
}

/** Binds online payments to their ports. */
export function createOnlinePayments(parts: OnlinePaymentsParts): OnlinePayments {
  const { engine, store, random, vault, directoryServer } = parts
  const codes = createTransientSecrets<SecurityCode>()
  const submissions = createKeyedQueue()
  const elsewhere = createCodesElsewhere({ ...parts, codes })
  const factsFor = createOnlineFacts(parts)
  const freshNames = () => ({
    crossReference: freshReference(random),
    paymentMethodId: `pm_${Buffer.from(random.bytes(METHOD_BYTES)).toString('base64url')}`,
  })
  parts.feed.followAll(change => forgetCodes(change, codes))
  parts.feed.followAll(change => logContradictions(change, parts.log))

  const execute = (key: PaymentKey, command: OnlineCommand, submission?: Submission): Promise<Done> =>
    engine.execute(ONLINE_PAYMENT, key, command, factsFor(key, submission))

  async function holderOf(account: MerchantAccountId, key: string): Promise<OnlinePayment | null> {
    return decoded(await store.uniqueKeyHolderOf(account, key))
  }

  const report = createAuthenticationReports({ engine, vault, factsFor })

  /** When payers returned whose issuer has no result yet, by payment. */
  const returned = new Map<PaymentId, number>()

  async function submitAlone(
    { merchantAccount: account, id }: OnlinePayment,
    submission: Submission,
    code: SecurityCode | null,
  ): Promise<Done> {
    // Before the commit, because its effects need the code at once.
    const storesCode = code !== null && codes.of(id) === null
    if (storesCode) codes.put(id, code)
    const executed = await execute({ account, id }, { type: 'submit', submission }, submission).catch(error => {
      if (storesCode) codes.forget(id)
      throw error
    })
    if (storesCode && !('record' in executed)) codes.forget(id)
    // Submitted once more: what the payer typed last counts, and after a restart it is the only code there is.
    if (code !== null && 'record' in executed && executed.events.length === 0) {
      codes.put(id, code)
      await elsewhere.forget(id)
    }
    return executed
  }

  function issue(
    account: MerchantAccountId,
    token: AccessToken,
    id: PaymentId,
    order: TokenOrder,
  ): ReturnType<OnlinePayments['issue']> {
    const command = { type: 'issue', id, merchantAccount: account, order } as const
    return engine.execute(ONLINE_PAYMENT, { account, id }, command, { isNew: true }).then(executed => {
      if ('repeated' in executed) throw new Error('a token has no idempotency key')
      return 'record' in executed ? { token, record: executed.record } : executed
    })
  }

  /** Only for a payer who has returned: the issuer's result alone charges nobody. ADR 53. */
  async function lateResult({ account, id }: PaymentKey): Promise<boolean> {
    const returnedAt = returned.get(id)
    if (returnedAt === undefined) return false
    const challenge = (await engine.read(ONLINE_PAYMENT, { account, id }))?.record.challenge ?? null
    const result = challenge === null ? 'pending' : await directoryServer.resultOf(account, challenge.md)
    if (result === 'pending') return false
    const executed = await report({ account, id }, result, { returnedAt })
    return 'events' in executed && executed.events.length > 0
  }

  return {
    issue(account, requested) {
      const token = freshToken(random, account, parts.clock.now())
      const id = idOfToken(token)
      const { webHookUrl: url } = requested
      if (url === null) return issue(account, token, id, orderOf(requested, null))
      return vault.storeText(account, 'access-token', token, id).then(async reference => {
        const issued = await issue(account, token, id, orderOf(requested, { url, vault: reference }))
        if ('refused' in issued) await vault.forget(account, reference)
        return issued
      })
    },
    async find(sent) {
      const read = readToken(sent)
      return read === null ? null : engine.read(ONLINE_PAYMENT, { account: read.account, id: idOfToken(read.token) })
    },
    findById: key => engine.read(ONLINE_PAYMENT, key),
    referred: (account, crossReference) => holderOf(account, crossReferenceKey(crossReference)),
    ordered: (account, merchantTransactionId) => holderOf(account, merchantTransactionKey(merchantTransactionId)),
    saved: (account, paymentMethodId) => holderOf(account, paymentMethodKey(paymentMethodId)),
    // One after the other, so that the code of one submission is never sent with the card of another.
    submit: (payment, submission, code) => submissions.run(payment.id, () => submitAlone(payment, submission, code)),
    priorAuthentication: (payment, original) => priorAuthenticationFor(directoryServer, payment, original),
    ...createDeviceDataSteps(directoryServer),
    challenged(md) {
      const account = accountOfChallenge(md)
      if (account !== null) return holderOf(account, challengeKey(md))
      // A challenge that began before the update.
      return store.accountKeyHolderOf(challengeKey(md)).then(decoded)
    },
    async completeChallenge({ merchantAccount: account, id, challenge, authentication }, limitMs) {
      if (challenge === null || authentication !== 'challenged') return
      const returnedAt = parts.clocks.of(account).now()
      returned.set(id, returnedAt)
      try {
        const result = await resultWithin(parts, account, challenge.md, limitMs)
        if (result !== 'pending') await report({ account, id }, result, { returnedAt })
      } finally {
        if (returned.get(id) === returnedAt) returned.delete(id)
      }
    },
    abandon: (key, reason) => execute(key, { type: 'give_up', reason }),
    async challengeState({ merchantAccount: account, progress, challenge, statusCode }) {
      if (progress === 'processing') return 'paying'
      if (progress === 'revoked' || (progress === 'final' && statusCode !== 0)) return 'unpaid'
      if (progress !== 'authorizing' || challenge === null) return 'over'
      return (await directoryServer.resultOf(account, challenge.md)) === 'pending' ? 'asking' : 'decided'
    },
    resume: key => execute(key, { type: 'resume' }),
    revoke: key => execute(key, { type: 'revoke' }),
    close: (key, closing) => execute(key, { type: 'close', names: freshNames(), ...closing }),
    until: (key, isSo, limitMs) => until(parts, key, isSo, limitMs),
    codes,
    performers: {
      ...onlineAcquiringPerformers({ ...parts, codes, factsFor, freshNames, elsewhere }),
      'payment.look_up': lookUpPerformer({ ...parts, report }),
    },
    async fire({ account, id, name }) {
      // A page waits for the result: the directory server is asked once more.
      if (name === 'challenge' && (await lateResult({ account, id }))) return true
      const key = { account, id }
      const command = { type: 'time_is_up', timer: name as OnlineTimer } as const
      const executed = await engine.execute(ONLINE_PAYMENT, key, command, { ...factsFor(key), timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

/** Interval between two requests for a result, in milliseconds. */
const ASK_AGAIN_MS = 1_000

async function resultWithin(
  { directoryServer, clock }: OnlinePaymentsParts,
  account: MerchantAccountId,
  md: string,
  limitMs: number,
): ReturnType<DirectoryServer['resultOf']> {
  const until = clock.now() + limitMs
  for (;;) {
    const result = await directoryServer.resultOf(account, md)
    if (result !== 'pending' || clock.now() >= until) return result
    await new Promise<void>(resolve => clock.alarm(clock.now() + ASK_AGAIN_MS, resolve))
  }
}

/** Subscribes before the first read, so that no change in between is missed. */
function until(
  { engine, feed, clock }: OnlinePaymentsParts,
  { account, id }: PaymentKey,
  isSo: (record: OnlinePayment) => boolean,
  limitMs: number,
): Promise<OnlinePayment> {
  const key = { account, kind: ONLINE_PAYMENT.kind, id }
  return new Promise((resolve, reject) => {
    let latest: OnlinePayment | null = null
    let over = false
    const end = (): void => {
      over = true
      unfollow()
      alarm.cancel()
      if (latest !== null) resolve(latest)
    }
    const look = (record: OnlinePayment): void => {
      if (latest === null || record.version >= latest.version) latest = record
      // The limit may have passed before the first read.
      if (over || isSo(latest)) end()
    }
    const unfollow = feed.follow(key, change => look(change.record as OnlinePayment), end)
    const alarm = clock.alarm(clock.now() + limitMs, end)
    Promise.resolve(engine.read(ONLINE_PAYMENT, key))
      .then(entry => {
        if (entry === null) throw new Error('the awaited payment does not exist')
        look(entry.record)
      })
      .catch(error => {
        end()
        reject(error)
      })
  })
}

/** Drops the security code of a payment that has ended, because the acquirer is not asked any more. */
function forgetCodes({ kind, id, record }: Change, codes: TransientSecrets<SecurityCode>): void {
  if (kind !== ONLINE_PAYMENT.kind) return
  const { progress, token } = record as OnlinePayment
  if (progress === 'final' || progress === 'revoked' || token === 'expired') codes.forget(id)
}

/** Logs a warning, because an operator has to correct the money. */
function logContradictions({ kind, id, events, own }: Change, log: Log): void {
  if (kind !== ONLINE_PAYMENT.kind || !own) return
  for (const event of events as readonly OnlinePaymentEvent[])
    if (event.type === 'answered_late' && !event.agrees)
      log.warn({ payment: id, answer: event.answer }, 'acquirer answer contradicts the closing of the payment')
}

/** Random digits. The first is not zero, because spreadsheets drop leading zeros. */
function freshReference(random: Random): string {
  const digits = Array.from(random.bytes(REFERENCE_DIGITS), byte => byte % 10)
  return `${(digits[0] ?? 0) === 0 ? 1 : digits[0]}${digits.slice(1).join('')}`
}

/** Built field by field, because this runs for each token: a spread of so many fields costs more than the decision. */
function orderOf(requested: IssueOrder, webHook: TokenOrder['webHook']): TokenOrder {
  return {
    currencyCode: requested.currencyCode,
    amountMinor: requested.amountMinor,
    transactionType: requested.transactionType,
    orderId: requested.orderId,
    orderDescription: requested.orderDescription,
    merchantTransactionId: requested.merchantTransactionId,
    moto: requested.moto,
    payer: requested.payer,
    billingAddress: requested.billingAddress,
    shippingDetails: requested.shippingDetails,
    newTransaction: requested.newTransaction,
    crossReference: requested.crossReference,
    webHook,
    metaData: requested.metaData,
    waitPreExecute: requested.waitPreExecute,
    customerId: requested.customerId,
    paymentMethodId: requested.paymentMethodId,
    previousTransactionId: requested.previousTransactionId,
    cofSetup: requested.cofSetup,
    ...(requested.partner === undefined ? {} : { partner: requested.partner }),
  }
}
