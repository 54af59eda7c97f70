// src/services/online/payments.ts — online payments between the engine and the world: tokens are made, payments submitted,
// payers authenticated.

import type { SecurityCode } from '../../domain/card-number.ts'
import { onlineAmountOf } from '../../domain/currency.ts'
import type { AccessToken, MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import type { TokenOrder } from '../../domain/online/access-token.ts'
import type { OnlinePayment, OnlineTimer } from '../../domain/online/payment.ts'
import type { Closing, OnlineCommand } from '../../domain/online/payment-decisions.ts'
import { stillWanted } from '../../domain/online/payment-effects.ts'
import type { OnlinePaymentEvent, Submission } from '../../domain/online/payment-events.ts'
import type { AuthenticationReport } from '../../domain/online/three-d-secure.ts'
import type { Entry } from '../../engine/cache.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Performer, Performers } from '../../engine/effects.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import type { Change, Feed } from '../../engine/feed.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import { challengeKey, crossReferenceKey, ONLINE_PAYMENT, paymentMethodKey } from '../../engine/online-machine.ts'
import type { Acquirer } from '../../engine/ports/acquirer.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store, StoredTimer } from '../../engine/ports/store.ts'
import type { DeviceDataStep, DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { createHeldSecrets, type HeldSecrets } from '../held-secrets.ts'
import { onlineAcquiringPerformers } from './payment-acquiring.ts'
import { createOnlineFacts } from './payment-facts.ts'
import { freshToken, idOfToken, readToken } from './tokens.ts'

/** Digits of a cross reference. Online reference 15, row 35. */
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

export interface OnlinePayments {
  /** Makes a token for an order. The token is not kept and cannot be shown again. */
  issue(
    account: MerchantAccountId,
    order: IssueOrder,
  ): Promise<{ readonly token: AccessToken; readonly record: OnlinePayment } | Refused>
  /** The payment under a token as it was sent; null: there is none. */
  find(sent: string): Promise<Entry<OnlinePayment> | null>
  findById(key: PaymentKey): Promise<Entry<OnlinePayment> | null>
  /** The finished payment that a cross reference of this account names. */
  referred(account: MerchantAccountId, crossReference: string): Promise<OnlinePayment | null>
  /** The payment whose card was saved under this id. */
  saved(account: MerchantAccountId, paymentMethodId: string): Promise<OnlinePayment | null>
  /** Uses the token up. The code is held in memory only. */
  submit(payment: OnlinePayment, submission: Submission, code: SecurityCode | null): Promise<Done>
  deviceData(
    account: MerchantAccountId,
    number: Parameters<DirectoryServer['deviceData']>[1],
  ): Promise<DeviceDataStep | null>
  /** The payment whose payer was sent to the issuer under this name. */
  challenged(md: string): Promise<OnlinePayment | null>
  /**
   * The payer is back from the issuer's page: asks the directory server how it went, until it knows or the time
   * (milliseconds) is over. `gaveUp`: the payer has left the page before its end.
   */
  completeChallenge(payment: OnlinePayment, gaveUp: boolean, limitMs: number): Promise<void>
  resume(key: PaymentKey): Promise<Done>
  revoke(key: PaymentKey): Promise<Done>
  /** Says in the acquirer's place how a payment went. */
  close(key: PaymentKey, closing: Closing): Promise<Done>
  /** The record once it is so, or as it is when the time (milliseconds) is over. */
  until(key: PaymentKey, isSo: (record: OnlinePayment) => boolean, limitMs: number): Promise<OnlinePayment>
  readonly codes: HeldSecrets<SecurityCode>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

type Refused = Extract<Done, { refused: unknown }>

export interface OnlinePaymentsParts {
  readonly engine: Engine
  readonly store: Store
  readonly feed: Feed
  readonly clocks: Clocks
  /** The time of those who wait for an answer, whatever that of the account is. */
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
  readonly vault: Vault
}

/** Binds online payments to their ports. */
export function createOnlinePayments(parts: OnlinePaymentsParts): OnlinePayments {
  const { engine, store, random, vault, directoryServer } = parts
  const codes = createHeldSecrets<SecurityCode>()
  const submissions = createKeyedQueue()
  const factsFor = createOnlineFacts(parts)
  const freshNames = () => ({
    crossReference: freshReference(random),
    paymentMethodId: `pm_${Buffer.from(random.bytes(METHOD_BYTES)).toString('base64url')}`,
  })
  parts.feed.followAll(change => forgetCodes(change, codes))
  parts.feed.followAll(change => tellOfContradictions(change, parts.log))

  const execute = (key: PaymentKey, command: OnlineCommand, submission?: Submission): Promise<Done> =>
    engine.execute(ONLINE_PAYMENT, key, command, factsFor(key, submission))

  async function claimant(claim: string): Promise<OnlinePayment | null> {
    const stored = await store.uniqueKeyHolderOf(claim)
    return stored === null ? null : decodeRecord(ONLINE_PAYMENT, stored.body)
  }

  const report = (key: PaymentKey, told: AuthenticationReport, effectsDone: readonly string[] = []) => {
    const command = { type: 'authentication_reports', report: told } as const
    return engine.execute(ONLINE_PAYMENT, key, command, { ...factsFor(key), effectsDone })
  }

  async function submitAlone(
    { merchantAccount: account, id }: OnlinePayment,
    submission: Submission,
    code: SecurityCode | null,
  ): Promise<Done> {
    // Before the commit: what follows it asks for the code at once.
    const keeps = code !== null && codes.of(id) === null
    if (keeps) codes.keep(id, code)
    const executed = await execute({ account, id }, { type: 'submit', submission }, submission).catch(error => {
      if (keeps) codes.forget(id)
      throw error
    })
    if (keeps && !('record' in executed)) codes.forget(id)
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
      if ('repeated' in executed) throw new Error('a token bears no idempotency key')
      return 'record' in executed ? { token, record: executed.record } : executed
    })
  }

  async function lateResult({ account, id }: PaymentKey): Promise<boolean> {
    const challenge = (await engine.read(ONLINE_PAYMENT, { account, id }))?.record.challenge ?? null
    const result = challenge === null ? 'pending' : await directoryServer.resultOf(account, challenge.md)
    if (result === 'pending') return false
    const executed = await report({ account, id }, result)
    return 'events' in executed && executed.events.length > 0
  }

  return {
    issue(account, asked) {
      const token = freshToken(random, account, parts.clock.now())
      const id = idOfToken(token)
      const { webHookUrl: url } = asked
      if (url === null) return issue(account, token, id, orderOf(asked, null))
      return vault.keepText(account, 'access-token', token, id).then(async kept => {
        const issued = await issue(account, token, id, orderOf(asked, { url, vault: kept }))
        if ('refused' in issued) await vault.forget(account, kept)
        return issued
      })
    },
    async find(sent) {
      const read = readToken(sent)
      return read === null ? null : engine.read(ONLINE_PAYMENT, { account: read.account, id: idOfToken(read.token) })
    },
    findById: key => engine.read(ONLINE_PAYMENT, key),
    referred: (account, crossReference) => claimant(crossReferenceKey(account, crossReference)),
    saved: (account, paymentMethodId) => claimant(paymentMethodKey(account, paymentMethodId)),
    // One after the other: the code of one must not go out with the card of another.
    submit: (payment, submission, code) => submissions.run(payment.id, () => submitAlone(payment, submission, code)),
    deviceData: (account, number) => directoryServer.deviceData(account, number),
    challenged: md => claimant(challengeKey(md)),
    async completeChallenge({ merchantAccount: account, id, challenge, authentication }, gaveUp, limitMs) {
      if (challenge === null || authentication !== 'challenged') return
      const result = await resultWithin(parts, account, challenge.md, gaveUp ? 0 : limitMs)
      if (result !== 'pending') await report({ account, id }, result)
      else if (gaveUp) await report({ account, id }, GAVE_UP)
    },
    resume: key => execute(key, { type: 'resume' }),
    revoke: key => execute(key, { type: 'revoke' }),
    close: (key, closing) => execute(key, { type: 'close', names: freshNames(), ...closing }),
    until: (key, isSo, limitMs) => until(parts, key, isSo, limitMs),
    codes,
    performers: {
      ...onlineAcquiringPerformers({ ...parts, codes, factsFor, freshNames }),
      'payment.look_up': lookUpPerformer(parts, report),
    },
    async fire({ account, id, name }) {
      // A payer whose browser was closed too early may have been authenticated all the same.
      if (name === 'challenge' && (await lateResult({ account, id }))) return true
      const key = { account, id }
      const command = { type: 'time_is_up', timer: name as OnlineTimer } as const
      const executed = await engine.execute(ONLINE_PAYMENT, key, command, { ...factsFor(key), timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

/** The payer has closed the issuer's page. */
const GAVE_UP: AuthenticationReport = { type: 'authentication_failed', status: 'N', reason: 'cancelled' }

/** How often the directory server is asked again, in milliseconds. */
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

function lookUpPerformer(
  { engine, vault, directoryServer }: OnlinePaymentsParts,
  report: (key: PaymentKey, told: AuthenticationReport, effectsDone: readonly string[]) => Promise<unknown>,
): Performer {
  return async effect => {
    const payment = (await engine.read(ONLINE_PAYMENT, effect))?.record
    if (payment === undefined || payment.submission === null || !stillWanted('payment.look_up', payment)) return 'done'
    const { order, submission, mustChallenge } = payment
    const card = await vault.openCard(effect.account, submission.card.vault)
    const { currencyCode: currencyNumeric, orderId } = order
    const told: AuthenticationReport =
      card === null
        ? { type: 'authentication_failed', status: 'U', reason: 'unavailable' }
        : await directoryServer.lookUp({
            ...{ authenticationId: effect.effectId, account: effect.account, card },
            ...{ amount: onlineAmountOf(order), currencyNumeric, orderId, mustChallenge },
          })
    await report(effect, told, [effect.effectId])
    return 'recorded'
  }
}

/** Follows first and looks then, so that nothing is missed between the two. */
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
      // The time may have been up before the first look.
      if (over || isSo(latest)) end()
    }
    const unfollow = feed.follow(key, change => look(change.record as OnlinePayment), end)
    const alarm = clock.alarm(clock.now() + limitMs, end)
    Promise.resolve(engine.read(ONLINE_PAYMENT, key))
      .then(entry => {
        if (entry === null) throw new Error('a payment is waited for that does not exist')
        look(entry.record)
      })
      .catch(error => {
        end()
        reject(error)
      })
  })
}

/** Nothing more is asked of the acquirer once a payment has ended. */
function forgetCodes({ kind, id, record }: Change, codes: HeldSecrets<SecurityCode>): void {
  if (kind !== ONLINE_PAYMENT.kind) return
  const { progress, token } = record as OnlinePayment
  if (progress === 'final' || progress === 'revoked' || token === 'expired') codes.forget(id)
}

/** Somebody has to put the money right. */
function tellOfContradictions({ kind, id, events }: Change, log: Log): void {
  if (kind !== ONLINE_PAYMENT.kind) return
  for (const event of events as readonly OnlinePaymentEvent[])
    if (event.type === 'answered_late' && !event.agrees)
      log.warn({ payment: id, answer: event.answer }, 'the acquirer contradicts whoever closed a payment')
}

/** Digits without a meaning; the first is no zero, which a spreadsheet would eat. */
function freshReference(random: Random): string {
  const digits = Array.from(random.bytes(REFERENCE_DIGITS), byte => byte % 10)
  return `${(digits[0] ?? 0) === 0 ? 1 : digits[0]}${digits.slice(1).join('')}`
}

/** Field by field, as it is done for each token: a spread of so many fields costs more than to decide on them. */
function orderOf(asked: IssueOrder, webHook: TokenOrder['webHook']): TokenOrder {
  return {
    currencyCode: asked.currencyCode,
    amountMinor: asked.amountMinor,
    transactionType: asked.transactionType,
    orderId: asked.orderId,
    orderDescription: asked.orderDescription,
    merchantTransactionId: asked.merchantTransactionId,
    moto: asked.moto,
    payer: asked.payer,
    billingAddress: asked.billingAddress,
    shippingDetails: asked.shippingDetails,
    newTransaction: asked.newTransaction,
    crossReference: asked.crossReference,
    webHook,
    metaData: asked.metaData,
    waitPreExecute: asked.waitPreExecute,
    customerId: asked.customerId,
    paymentMethodId: asked.paymentMethodId,
    previousTransactionId: asked.previousTransactionId,
    cofSetup: asked.cofSetup,
    ...(asked.partner === undefined ? {} : { partner: asked.partner }),
  }
}
