// src/services/counter/transaction-acquiring.ts — performs the effects that move money, under ids that never change, until
// they are answered.

import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import {
  authorisationAnswerTo,
  stillWanted,
  type TransactionEffect,
} from '../../domain/counter/transaction-decisions.ts'
import { preAuthorisedTotalOf, type TransactionRequest } from '../../domain/counter/transaction-events.ts'
import { money } from '../../domain/money.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { MERCHANT_ACCOUNT, TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Acquirer, AcquirerAnswer, AcquirerOrder } from '../../engine/ports/acquirer.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { StoredEffect } from '../../engine/ports/store.ts'
import type { CardData, TerminalCall, TerminalDriver } from '../../engine/ports/terminal.ts'
import { type AcquiringElsewhere, createAcquiringElsewhere, type SecretAnswer } from '../acquiring-elsewhere.ts'
import { askAgain } from '../asking-again.ts'
import type { CardDataKeeper } from './card-data.ts'
import type { Fleet } from './terminals.ts'

export interface AcquiringParts {
  readonly engine: Engine
  readonly fleet: Fleet
  readonly acquirer: Acquirer
  readonly cardData: CardDataKeeper
  /** To nodes that have PIN blocks. */
  readonly link: NodeLink
  readonly clock: Clock
}

/** The performers of the acquiring effects of counter transactions. */
export function acquiringPerformers(parts: AcquiringParts): Performers {
  const elsewhere = createAcquiringElsewhere({
    ...parts,
    name: 'transaction',
    async perform(effect) {
      const authorisation = await authorisationOf(parts, effect)
      return authorisation === null ? 'gone' : authorise(parts, effect, authorisation)
    },
    forget: parts.cardData.forgetPin,
  })
  return {
    'acquirer.authorise': effect => performAuthorise(parts, elsewhere, effect),
    'acquirer.reverse': effect => performReverse(parts, effect),
    'transaction.forget_card_data': effect => performForget(parts, effect),
    'transaction.reconcile': effect => performReconcile(parts, effect),
  }
}

/** The transaction of an effect; null when the effect is no longer needed. */
export async function wanted(engine: Engine, effect: StoredEffect): Promise<TerminalTransaction | null> {
  const type = effect.type as TransactionEffect['type']
  const entry = await engine.read(TERMINAL_TRANSACTION, effect)
  return entry !== null && stillWanted(type, entry.record) ? entry.record : null
}

interface Authorisation {
  readonly transaction: TerminalTransaction
  readonly payload: Extract<TransactionEffect, { type: 'acquirer.authorise' }>
}

/** Null when the acquirer is not to be asked any more. */
async function authorisationOf({ engine }: AcquiringParts, effect: StoredEffect): Promise<Authorisation | null> {
  const transaction = await wanted(engine, effect)
  const payload = JSON.parse(effect.body) as TransactionEffect
  return transaction === null || payload.type !== 'acquirer.authorise' ? null : { transaction, payload }
}

/** Asks the acquirer, if this process has all card data. */
async function authorise(
  parts: AcquiringParts,
  { account, id, effectId: orderId }: StoredEffect,
  { transaction, payload }: Authorisation,
): Promise<SecretAnswer> {
  const { acquirer, cardData } = parts
  const opened = payload.cardData === undefined ? NO_CARD_DATA : await cardData.open(account, id, payload.cardData)
  if (opened === 'gone') return 'gone'
  const { amounts, request } = transaction
  const order = {
    ...{ orderId, account, amount: money(payload.amountMinor, request.currency), cardToken: payload.cardToken },
    ...(amounts.cashbackMinor === 0 ? {} : { cashback: money(amounts.cashbackMinor, request.currency) }),
    ...(await factsOf(parts, transaction)),
    ...(opened.chip === null ? {} : { chipData: opened.chip }),
    ...(opened.pin === null ? {} : { pinBlock: opened.pin }),
  }
  return requestAnswer(acquirer, request, order)
}

async function performAuthorise(parts: AcquiringParts, elsewhere: AcquiringElsewhere, effect: StoredEffect) {
  const { engine } = parts
  const authorisation = await authorisationOf(parts, effect)
  if (authorisation === null) return 'done'
  const own = await authorise(parts, effect, authorisation)
  const answer = own === 'gone' ? await elsewhere.request(effect) : own
  if (answer === 'again') return 'again'
  if (answer === 'gone') {
    // The process that had the card data has ended. It may have asked the acquirer already, so the order is reversed.
    await engine.execute(
      TERMINAL_TRANSACTION,
      effect,
      { type: 'acquirer_reports', reports: [{ type: 'reversal_requested', why: 'card_data_gone' }] },
      { effectsDone: [effect.effectId] },
    )
    return 'recorded'
  }
  if (answer.answer === 'unknown') {
    // The till may see that the answer is missing. The request is retried under the same id.
    await engine.execute(TERMINAL_TRANSACTION, effect, {
      type: 'acquirer_reports',
      reports: [{ type: 'authorisation_unanswered' }],
    })
    return askAgain(parts, effect, effect.effectId)
  }
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: 'acquirer_reports', reports: [reportOf(answer)] },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}

const NO_CARD_DATA: CardData = { chip: null, pin: null }

/** Merchant, terminal and entry mode for the acquirer. */
async function factsOf({ engine, fleet }: AcquiringParts, { merchantAccount, tid, card }: TerminalTransaction) {
  const owner = await engine.read(MERCHANT_ACCOUNT, { account: merchantAccount, id: merchantAccount })
  const terminal = await engine.read(TERMINAL, { account: merchantAccount, id: tid })
  const { merchantNumber = '' } = owner?.record ?? {}
  const capabilities = terminal === null ? undefined : fleet.capabilitiesOf(terminal.record)
  return {
    terminalId: tid,
    ...(merchantNumber === '' ? {} : { merchantId: merchantNumber }),
    ...(card.paymentMethod === 'UNKNOWN' ? {} : { entryMode: card.paymentMethod }),
    ...(capabilities === undefined ? {} : { terminalCapabilities: capabilities }),
  }
}

async function performForget({ engine, cardData }: AcquiringParts, effect: StoredEffect) {
  const payload = JSON.parse(effect.body) as TransactionEffect
  if (payload.type === 'transaction.forget_card_data' && (await wanted(engine, effect)) !== null)
    await cardData.forget(effect.account, payload.cardData)
  return 'done' as const
}

function requestAnswer(acquirer: Acquirer, request: TransactionRequest, order: AcquirerOrder): Promise<AcquirerAnswer> {
  switch (request.transactionType) {
    case 'SALE':
      return acquirer.authorise(order, 'charge')
    case 'PRE_AUTH':
      return acquirer.authorise(order, 'hold')
    case 'COMPLETION':
      return acquirer.capture({
        ...order,
        authCode: request.authCode ?? '',
        preAuthorisedTotal: preAuthorisedTotalOf(request),
      })
    case 'REFUND':
      return acquirer.refund(order)
    case 'ACCOUNT_VERIFICATION':
      return acquirer.verify(order)
    case 'DUPLICATE':
      throw new Error('a duplicate moves no money')
  }
}

function reportOf(answer: Exclude<AcquirerAnswer, { answer: 'unknown' }>) {
  return answer.answer === 'approved'
    ? ({ type: 'authorisation_approved', authCode: answer.authCode, reference: answer.reference } as const)
    : ({ type: 'authorisation_declined', reason: answer.reason, responseCode: answer.responseCode } as const)
}

async function performReverse(parts: AcquiringParts, effect: StoredEffect) {
  const { engine, acquirer } = parts
  const transaction = await wanted(engine, effect)
  if (transaction === null || transaction.authorisationId === null) return 'done'
  const orderId = transaction.authorisationId
  const answer = await acquirer.reverse({ orderId, account: effect.account })
  if (answer === 'unknown') return askAgain(parts, effect, orderId)
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: 'acquirer_reports', reports: [{ type: 'reversed' }] },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}

/**
 * Lets a terminal end that still waits for the gateway: for the answer to its authorisation, or for the decision on a signature.
 * Which of them is not known: the answer or the terminal's request may have been lost. It ignores what it does not wait for; if
 * it waits for neither, the customer has seen the approval, or the next attempt finds it waiting.
 */
async function endAtTerminal(driver: TerminalDriver, call: TerminalCall): Promise<void> {
  await driver.answerAuthorisation(call, authorisationAnswerTo(call.transaction))
  const second = { ...call, effectId: `${call.effectId}/signature` }
  await driver.answerSignature(second, { accepted: false, timedOut: false })
}

/** The till got TIMED_OUT and the acquirer has approved: the terminal's result decides. */
async function performReconcile({ engine, fleet }: AcquiringParts, effect: StoredEffect) {
  const transaction = await wanted(engine, effect)
  if (transaction === null) return 'done'
  const terminal = await engine.read(TERMINAL, { account: effect.account, id: transaction.tid })
  const driver = terminal === null ? null : fleet.driverOf(terminal.record)
  const memory =
    terminal === null || driver === null
      ? ({ state: 'forgotten' } as const)
      : await driver.lastTransaction(terminal.record, transaction.requestId)
  if (memory.state === 'running') {
    if (terminal !== null && driver !== null)
      await endAtTerminal(driver, { effectId: effect.effectId, terminal: terminal.record, transaction })
    return 'again'
  }
  const delivered = memory.state === 'ended' && memory.successful
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    {
      type: 'acquirer_reports',
      reports: [delivered ? { type: 'authorisation_confirmed' } : { type: 'reversal_requested', why: 'not_delivered' }],
    },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}
