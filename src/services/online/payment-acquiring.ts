// src/services/online/payment-acquiring.ts — performs the effects of online payments: acquiring, and bookings on an original.

import type { SecurityCode } from '../../domain/card-number.ts'
import { currencyOf, onlineAmountOf } from '../../domain/currency.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import { isLinked } from '../../domain/online/access-token.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import type { FreshNames, OnlineAcquirerReport, OnlineCommand } from '../../domain/online/payment-decisions.ts'
import { isStillNeeded, type OnlineEffectType } from '../../domain/online/payment-effects.ts'
import type { Submission } from '../../domain/online/payment-events.ts'
import { isUndone } from '../../domain/online/payment-ledger.ts'
import type { StoredValue } from '../../domain/online/three-d-secure.ts'
import type { Performer, Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { Fault } from '../../engine/fault.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Acquirer, AcquirerAnswer, AcquirerOrder, OnlineCard } from '../../engine/ports/acquirer.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { StoredEffect } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { openedProof } from '../../engine/sealed-proofs.ts'
import { type AcquiringElsewhere, createAcquiringElsewhere, type SecretAnswer } from '../acquiring-elsewhere.ts'
import { askAgain } from '../asking-again.ts'
import type { TransientSecrets } from '../transient-secrets.ts'
import type { OnlineFactsFor } from './payment-facts.ts'

export interface OnlineAcquiringParts {
  readonly engine: Engine
  readonly acquirer: Acquirer
  readonly vault: Vault
  readonly codes: TransientSecrets<SecurityCode>
  readonly factsFor: OnlineFactsFor
  readonly freshNames: () => FreshNames
  /** Performs authorisations whose security code another node has. */
  readonly elsewhere: AcquiringElsewhere
}

/** What an order to the acquirer is made of. */
type Ordering = Pick<OnlineAcquiringParts, 'engine' | 'acquirer' | 'vault'>

/** A payment that was submitted. */
type Submitted = OnlinePayment & { readonly submission: Submission }

/** The performers of the acquiring effects of online payments. */
export function onlineAcquiringPerformers(parts: OnlineAcquiringParts): Performers {
  return {
    'payment.authorise': wanted(parts, performAuthorise),
    'payment.reverse': wanted(parts, performReverse),
    'payment.reserve': wanted(parts, performReserve),
    'payment.book': wanted(parts, performBook),
    'payment.forget_card': wanted(parts, async ({ vault }, { account }, { submission }) => {
      await vault.forget(account, submission.card.vault)
      return 'done'
    }),
  }
}

type Perform = (parts: OnlineAcquiringParts, effect: StoredEffect, payment: Submitted) => ReturnType<Performer>

/** Wraps a performer: an effect that is no longer needed is done. */
function wanted(parts: OnlineAcquiringParts, perform: Perform): Performer {
  return async effect => {
    const payment = (await parts.engine.read(ONLINE_PAYMENT, effect))?.record
    if (payment === undefined || payment.submission === null) return 'done'
    if (!isStillNeeded(effect.type as OnlineEffectType, payment)) return 'done'
    return perform(parts, effect, payment as Submitted)
  }
}

const performAuthorise: Perform = async (parts, effect, payment) => {
  const { submission, id } = payment
  // Linked payments need no code, and a payment never uses a code that was not submitted with it.
  const needsCode = submission.securityCodeGiven && !isLinked(payment.order.transactionType)
  const securityCode = needsCode ? parts.codes.of(id) : null
  const isElsewhere = needsCode && securityCode === null
  const answer = isElsewhere ? await parts.elsewhere.request(effect) : await requestAnswer(parts, payment, securityCode)
  if (answer === 'again') return 'again'
  if (answer === 'gone') {
    // The process that had the code has ended. It may have asked the acquirer already, so the order is reversed.
    await execute(parts, effect, { type: 'security_code_gone' }, [effect.effectId])
    return 'recorded'
  }
  if (answer.answer === 'unknown') {
    await execute(parts, effect, reported(parts, { type: 'authorisation_unanswered' }))
    return askAgain(parts, effect, await orderIdOf(parts, payment))
  }
  await execute(parts, effect, reported(parts, reportOf(answer)), [effect.effectId])
  return 'recorded'
}

/** Performs the authorisations of other nodes whose security codes came in here. */
export function createCodesElsewhere(
  parts: Ordering & Pick<OnlineAcquiringParts, 'codes'> & { readonly link: NodeLink; readonly clock: Clock },
): AcquiringElsewhere {
  const { engine, codes, link, clock } = parts
  return createAcquiringElsewhere({
    ...{ link, clock, name: 'payment', forget: codes.forget },
    async perform(effect): Promise<SecretAnswer> {
      const payment = (await engine.read(ONLINE_PAYMENT, effect))?.record
      const code = codes.of(effect.id)
      if (code === null || payment === undefined || payment.submission === null) return 'gone'
      if (!isStillNeeded('payment.authorise', payment)) return 'gone'
      return requestAnswer(parts, payment as Submitted, code)
    },
  })
}

async function requestAnswer(
  parts: Ordering,
  payment: Submitted,
  securityCode: OnlineCard['securityCode'],
): Promise<AcquirerAnswer> {
  const { acquirer } = parts
  const { transactionType } = payment.order
  if (transactionType === 'VOID') return askToVoid(parts, payment)
  const order = await orderOf(parts, payment, securityCode)
  switch (transactionType) {
    case 'SALE':
      return acquirer.authorise(order, 'charge')
    case 'PREAUTH':
      return acquirer.authorise(order, 'hold')
    case 'ACCOUNT_VERIFICATION':
      return acquirer.verify(order)
    case 'REFUND':
      return acquirer.refund(order)
    case 'COLLECTION': {
      const { authCode, authorisationId } = await originalOf(parts, payment)
      return acquirer.capture({
        ...order,
        authCode,
        preAuthorisedTotal: null,
        ...(authorisationId === null ? {} : { holdOrderId: authorisationId }),
      })
    }
  }
}

/** Reverses the order of the original. A void has no order of its own, so no card is needed. */
async function askToVoid(parts: Ordering, payment: Submitted): Promise<AcquirerAnswer> {
  const { authorisationId } = await originalOf(parts, payment)
  const undone = await parts.acquirer.reverse({ orderId: authorisationId ?? '', account: payment.merchantAccount })
  return undone === 'reversed' ? { answer: 'approved', authCode: '', reference: '' } : { answer: 'unknown' }
}

/** The order that the answer to a payment depends on. */
async function orderIdOf(parts: Ordering, payment: Submitted): Promise<string> {
  const { authorisationId } = payment.order.transactionType === 'VOID' ? await originalOf(parts, payment) : payment
  return authorisationId ?? ''
}

async function orderOf(
  { vault }: Ordering,
  { merchantAccount: account, authorisationId, order, submission, proof: stored }: Submitted,
  securityCode: OnlineCard['securityCode'],
): Promise<AcquirerOrder> {
  const card = await vault.openCard(account, submission.card.vault)
  if (card === null || currencyOf(order.currencyCode) === null || authorisationId === null)
    throw new Fault('card_missing', { detail: `Order ${authorisationId}` })
  const keyed = { account, authorisationId }
  const proof = await openedFor(vault, keyed, stored)
  const walletProof = await openedFor(vault, keyed, submission.walletProof)
  return {
    orderId: authorisationId,
    account,
    amount: onlineAmountOf(order),
    cardToken: `online-${submission.card.lookup}`,
    online: { card, securityCode, proof, walletProof },
    ...(proof?.exemption !== undefined && { exemption: proof.exemption }),
    entryMode: order.moto ? 'MAIL_OR_TELEPHONE' : 'E_COMMERCE',
  }
}

/**
 * A proof with its value; null without a proof.
 * @throws Error when the value is gone. It is kept for longer than any payment takes
 */
async function openedFor<Stored extends { readonly value: StoredValue }>(
  vault: Vault,
  { account, authorisationId }: { readonly account: MerchantAccountId; readonly authorisationId: string },
  stored: Stored | null,
) {
  if (stored === null) return null
  const proof = await openedProof(vault, account, stored)
  if (proof === null) throw new Error(`the value of the authentication of ${authorisationId} is gone`)
  return proof
}

async function originalOf({ engine }: Ordering, payment: Submitted): Promise<OnlinePayment> {
  const id = payment.submission.original ?? ''
  const original = await engine.read(ONLINE_PAYMENT, { account: payment.merchantAccount, id })
  if (original === null) throw new Error(`payment ${payment.id} refers to ${id}, which does not exist`)
  return original.record
}

function reportOf(answer: Exclude<AcquirerAnswer, { answer: 'unknown' }>): OnlineAcquirerReport {
  return answer.answer === 'approved'
    ? { type: 'authorisation_approved', authCode: answer.authCode, reference: answer.reference }
    : { type: 'authorisation_declined', reason: answer.reason, responseCode: answer.responseCode }
}

function reported({ freshNames }: OnlineAcquiringParts, report: OnlineAcquirerReport) {
  return { type: 'acquirer_reports', report, names: freshNames() } as const
}

const performReverse: Perform = async (parts, effect, payment) => {
  const orderId = payment.authorisationId ?? ''
  const answer = await parts.acquirer.reverse({ orderId, account: effect.account })
  if (answer === 'unknown') return askAgain(parts, effect, orderId)
  await execute(parts, effect, reported(parts, { type: 'reversed' }), [effect.effectId])
  return 'recorded'
}

const performReserve: Perform = async (parts, effect, payment) => {
  const { order, submission } = payment
  const reservation = {
    by: payment.id,
    type: order.transactionType as 'COLLECTION' | 'REFUND' | 'VOID',
    amountMinor: order.amountMinor,
    currencyCode: order.currencyCode,
  }
  const key = { account: effect.account, id: submission.original ?? '' }
  const executed = await parts.engine.execute(
    ONLINE_PAYMENT,
    key,
    { type: 'reserve', reservation },
    parts.factsFor(key),
  )
  const refused = 'refused' in executed ? (executed.refused.detail ?? 'Invalid crossReference') : null
  const entries = 'record' in executed ? executed.record.entries : []
  const amountMinor = entries.find(({ by }) => by === payment.id)?.amountMinor ?? order.amountMinor
  await execute(parts, effect, { type: 'reservation_answered', refused, amountMinor }, [effect.effectId])
  return 'recorded'
}

const performBook: Perform = async (parts, effect, payment) => {
  const key = { account: effect.account, id: payment.submission.original ?? '' }
  const how = payment.statusCode === 0 ? 'settle' : 'release'
  await parts.engine.execute(ONLINE_PAYMENT, key, { type: how, by: payment.id }, parts.factsFor(key))
  if (how === 'settle') await settlePreAuthorisation(parts, payment)
  await execute(parts, effect, { type: 'booked' }, [effect.effectId])
  return 'recorded'
}

/** A voided collection releases its pre-authorisation; one that was refunded in full leaves nothing of it. */
async function settlePreAuthorisation(parts: OnlineAcquiringParts, payment: Submitted): Promise<void> {
  const collection = await originalOf(parts, payment)
  const preAuthorisation = collection.submission?.original ?? null
  if (collection.order.transactionType !== 'COLLECTION' || preAuthorisation === null || !isUndone(collection)) return
  const key = { account: payment.merchantAccount, id: preAuthorisation }
  const type = payment.order.transactionType === 'VOID' ? 'reopen' : 'refunded'
  await parts.engine.execute(ONLINE_PAYMENT, key, { type, by: collection.id }, parts.factsFor(key))
}

async function execute(
  { engine, factsFor }: OnlineAcquiringParts,
  effect: StoredEffect,
  command: OnlineCommand,
  effectsDone?: readonly string[],
): Promise<void> {
  const options = factsFor(effect)
  await engine.execute(
    ONLINE_PAYMENT,
    effect,
    command,
    effectsDone === undefined ? options : { ...options, effectsDone },
  )
}
