// src/api/online/token-request.ts — reads the body of a token request as an order.

import { idHoldsCardNumber, urlHoldsCardNumber, withoutCardNumbers } from '../../domain/card-numbers.ts'
import { type Currency, currencyOf } from '../../domain/currency.ts'
import { isLinked, ONLINE_TYPES, type OnlineType } from '../../domain/online/access-token.ts'
import { webhookUrlProblem } from '../../domain/webhooks/webhook.ts'
import type { IssueOrder } from '../../services/online/payments.ts'
import type { JsonObject } from '../read/json-body.ts'
import { readShipping, readUserAddress } from './address.ts'
import { type Fields, numericCodeIn, readDigits, readFields, wrong } from './fields.ts'
import { readMetaData } from './metadata.ts'

/** Longest values, in characters. */
const LONGEST = {
  merchantUrl: 2_048,
  orderId: 50,
  description: 255,
  id: 64,
  payer: 512,
  amountDigits: 13,
  cofSetup: 2_048,
} as const

/** Names of the counter interface, which shops also send. See docs/online-payments.md. */
const ALIASES: Readonly<Record<string, OnlineType>> = { PRE_AUTH: 'PREAUTH', COMPLETION: 'COLLECTION' }

export interface TokenRequest {
  readonly merchantUrl: string
  readonly order: IssueOrder
}

interface TokenRead {
  readonly value: TokenRequest
  /** Fields that hold what may be a card number and cannot be kept otherwise than as they are. */
  readonly misplaced: readonly string[]
}

/**
 * Reads a token request. Returns the name of the first invalid field, or of a field with a misplaced card number.
 * Identifiers with a card number are refused, because they must be returned unchanged; in texts for people card numbers
 * are masked. ADR 32.
 * @param forwardedFor `X-Forwarded-For` of the request: IP address of the payer, if the body has none
 */
export function readTokenRequest(json: JsonObject, forwardedFor: string): TokenRead | { readonly invalid: string } {
  const read = readFields(json, fields => {
    // Older plugins send `gatewayUsername` for `merchantUrl`; their password is ignored.
    const merchantUrl =
      fields.optional('merchantUrl', LONGEST.merchantUrl) ??
      fields.optional('gatewayUsername', LONGEST.merchantUrl) ??
      wrong('merchantUrl')
    const currency = readCurrency(fields)
    const amountMinor = readAmount(fields)
    const transactionType = readType(fields)
    // A payment in a currency that was withdrawn since can still be collected, refunded and voided.
    if (currency.withdrawn && !isLinked(transactionType)) wrong('currencyCode')
    checkAmount(transactionType, amountMinor)
    const payable = { currencyCode: currency.numeric, amountMinor, transactionType }
    return { merchantUrl, order: readOrder(fields, payable, forwardedFor) }
  })
  if ('invalid' in read) return read
  const { merchantUrl, order } = read.value
  return { value: { merchantUrl, order: withoutCards(order) }, misplaced: idsWithCards(order) }
}

type Payable = Pick<IssueOrder, 'currencyCode' | 'amountMinor' | 'transactionType'>

function readOrder(
  fields: Fields,
  { currencyCode, amountMinor, transactionType }: Payable,
  forwardedFor: string,
): IssueOrder {
  const orderId = fields.required('orderId', LONGEST.orderId)
  const orderDescription = fields.text('orderDescription', LONGEST.description)
  const merchantTransactionId = fields.optional('merchantTransactionId', LONGEST.id)
  const source = fields.text('transactionSource', LONGEST.id)
  if (source !== '' && source !== 'MOTO') wrong('transactionSource')
  const webHookUrl = fields.optional('webHookUrl', LONGEST.merchantUrl)
  if (webHookUrl !== null && webhookUrlProblem(webHookUrl) !== null) wrong('webHookUrl')
  return {
    currencyCode,
    amountMinor,
    transactionType,
    orderId,
    orderDescription,
    merchantTransactionId,
    moto: source === 'MOTO',
    payer: {
      userAgent: fields.text('userAgent', LONGEST.payer),
      emailAddress: fields.text('userEmailAddress', LONGEST.payer),
      phoneNumber: fields.text('userPhoneNumber', LONGEST.payer),
      ipAddress: fields.optional('userIpAddress', LONGEST.payer) ?? forwardedFor,
    },
    billingAddress: readUserAddress(fields),
    shippingDetails: readShipping(fields),
    newTransaction: fields.boolean('newTransaction'),
    crossReference: fields.optional('crossReference', LONGEST.id),
    webHookUrl,
    metaData: readMetaData(fields),
    waitPreExecute: fields.boolean('waitPreExecute'),
    customerId: fields.optional('customerId', LONGEST.id),
    paymentMethodId: fields.optional('paymentMethodId', LONGEST.id),
    previousTransactionId: fields.optional('previousTransactionId', LONGEST.id),
    cofSetup: readCofSetup(fields),
  }
}

function readCurrency(fields: Fields): Currency {
  return currencyOf(numericCodeIn(fields.raw('currencyCode')) ?? '') ?? wrong('currencyCode')
}

function readAmount(fields: Fields): number {
  const digits = readDigits(fields.raw('amount'), 'amount')
  return digits.length <= LONGEST.amountDigits ? Number(digits) : wrong('amount')
}

function readType(fields: Fields): OnlineType {
  const sent = fields.required('transactionType', LONGEST.id)
  const named = Object.hasOwn(ALIASES, sent) ? ALIASES[sent] : undefined
  return named ?? ONLINE_TYPES.find(type => type === sent) ?? wrong('transactionType')
}

/** An account verification has amount 0. Other types except VOID have a positive amount. */
function checkAmount(type: OnlineType, amountMinor: number): void {
  if (type === 'ACCOUNT_VERIFICATION' ? amountMinor !== 0 : type !== 'VOID' && amountMinor === 0) wrong('amount')
}

/** Reads `cofSetup`, which is stored only. Its published description has no fields. */
function readCofSetup(fields: Fields): unknown {
  const sent = fields.raw('cofSetup')
  if (sent === undefined) return null
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  return isObject && JSON.stringify(sent).length <= LONGEST.cofSetup ? sent : wrong('cofSetup')
}

/** Whether a payment of this type can be made in a browser. */
export function isForBrowsers(type: OnlineType): boolean {
  return !isLinked(type)
}

/** Fields that are compared, looked up, or read by the shop's programs. */
const IDS = ['orderId', 'merchantTransactionId', 'crossReference', 'customerId', 'paymentMethodId'] as const

function idsWithCards(order: IssueOrder): readonly string[] {
  const fields: string[] = IDS.filter(name => idHoldsCardNumber(order[name] ?? ''))
  if (order.webHookUrl !== null && urlHoldsCardNumber(order.webHookUrl)) fields.push('webHookUrl')
  for (const name in order.metaData)
    if (idHoldsCardNumber(name) || idHoldsCardNumber(order.metaData[name] ?? '')) return [...fields, 'metaData']
  return fields
}

/** Masks card numbers in texts for people and in fields that are stored only. */
function withoutCards(order: IssueOrder): IssueOrder {
  const { orderDescription, payer, billingAddress, shippingDetails, previousTransactionId, cofSetup } = order
  const written = { orderDescription, payer, billingAddress, shippingDetails, previousTransactionId, cofSetup }
  const plain = withoutCardNumbers(written)
  return plain === written ? order : { ...order, ...plain }
}
