// src/api/online/token-request.ts — reads the body of a token request as an order.

import { idHoldsCardNumber, urlHoldsCardNumber, withoutCardNumbers } from '../../domain/card-numbers.ts'
import { type Currency, currencyOf } from '../../domain/currency.ts'
import { isLinked, ONLINE_TYPES, type OnlineType } from '../../domain/online/access-token.ts'
import { webhookUrlProblem } from '../../domain/webhooks/webhook.ts'
import type { IssueOrder } from '../../services/online/payments.ts'
import { type FieldFault, faultIn, faultSaying, kindOf, nothingIn, wrongNumber } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Schema } from '../read/schema.ts'
import { readShipping, readUserAddress } from './address.ts'
import { digitsIn, type Fields, readFields, readNumericCode, wrong } from './fields.ts'
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
const MOST_MINOR = 10 ** LONGEST.amountDigits - 1

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
 * Reads a token request. Returns what is wrong with the first invalid field, or the name of a field with a misplaced card number.
 * Identifiers with a card number are refused, because they must be returned unchanged; in texts for people card numbers
 * are masked. ADR 32.
 * @param forwardedFor `X-Forwarded-For` of the request: IP address of the payer, if the body has none
 */
export function readTokenRequest(json: JsonObject, forwardedFor: string): TokenRead | FieldFault {
  const read = readFields(json, fields => {
    // Older plugins send `gatewayUsername` for `merchantUrl`; their password is ignored.
    const merchantUrl =
      fields.optional('merchantUrl', LONGEST.merchantUrl) ??
      fields.optional('gatewayUsername', LONGEST.merchantUrl) ??
      fields.required('merchantUrl', LONGEST.merchantUrl)
    const currency = readCurrency(fields)
    const amountMinor = readAmount(fields, currency)
    const transactionType = readType(fields)
    // A payment in a currency that was withdrawn since can still be collected, refunded and voided.
    if (currency.withdrawn && !isLinked(transactionType))
      wrong(faultSaying('currencyCode', `is withdrawn: ${currency.code} is no longer money`, CURRENCY))
    checkAmount(transactionType, amountMinor, currency)
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
  if (source !== '' && source !== 'MOTO') wrong(faultIn(SOURCE, source, 'transactionSource'))
  const webHookUrl = fields.optional('webHookUrl', LONGEST.merchantUrl)
  const problem = webHookUrl === null ? null : webhookUrlProblem(webHookUrl)
  if (problem !== null) wrong({ invalid: 'webHookUrl', says: `${problem}.` })
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

const SOURCE: Schema = { type: 'string', enum: ['MOTO'] }
const CURRENCY = 'the ISO 4217 number of a currency, such as 826 for GBP'

function readCurrency(fields: Fields): Currency {
  const sent = fields.raw('currencyCode')
  const code = readNumericCode(sent, 'currencyCode', CURRENCY)
  return currencyOf(code) ?? wrong(faultSaying('currencyCode', 'is not the number of a currency', CURRENCY))
}

function readAmount(fields: Fields, currency: Currency): number {
  const sent = fields.raw('amount')
  const digits = digitsIn(sent)
  if (digits !== null && digits.length <= LONGEST.amountDigits) return Number(digits)
  return wrong(faultSaying('amount', nothingIn(sent) ?? wrongNumber({ maximum: MOST_MINOR }, sent), amountIn(currency)))
}

/** Describes an amount: a whole number of minor units, whose size depends on the currency. */
function amountIn({ code, decimals }: Currency): string {
  const range = `a whole number from 1 to ${MOST_MINOR}`
  if (decimals === 0) return `${range}: ${code} has no minor units`
  const example = '25.999'.slice(0, decimals + 3)
  return `${range} in minor units of ${code}: ${example} is ${example.replace('.', '')}`
}

const TYPE: Schema = { type: 'string', enum: ONLINE_TYPES }

function readType(fields: Fields): OnlineType {
  const sent = fields.raw('transactionType')
  const named = typeof sent === 'string' && Object.hasOwn(ALIASES, sent) ? ALIASES[sent] : undefined
  return named ?? ONLINE_TYPES.find(type => type === sent) ?? wrong(faultIn(TYPE, sent, 'transactionType'))
}

/** An account verification has amount 0. Other types except VOID have a positive amount. */
function checkAmount(type: OnlineType, amountMinor: number, currency: Currency): void {
  if (type === 'ACCOUNT_VERIFICATION' && amountMinor !== 0) wrong(faultSaying('amount', 'is not zero', `0 for ${type}`))
  if (type !== 'ACCOUNT_VERIFICATION' && type !== 'VOID' && amountMinor === 0)
    wrong(faultSaying('amount', 'is zero', amountIn(currency)))
}

/** Reads `cofSetup`, which is stored only. Its published description has no fields. */
function readCofSetup(fields: Fields): unknown {
  const sent = fields.raw('cofSetup')
  if (sent === undefined) return null
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  if (isObject && JSON.stringify(sent).length <= LONGEST.cofSetup) return sent
  const allowed = `an object of ${LONGEST.cofSetup} characters at most`
  return wrong(faultSaying('cofSetup', isObject ? 'is too long' : kindOf(sent), allowed))
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
