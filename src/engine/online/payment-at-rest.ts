// src/engine/online/payment-at-rest.ts — how an online payment lies in the store, and its first event.
import type { Payer, TokenOrder } from '../../domain/access-token.ts'
import { NO_ENTRIES, type OnlinePayment } from '../../domain/online-payment.ts'
import type { OnlinePaymentEvent } from '../../domain/online-payment-events.ts'
import { type AtRest, type Shortened, unless } from '../bodies.ts'

type Issued = Extract<OnlinePaymentEvent, { readonly type: 'issued' }>

const PAYER: Payer = { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' }
const ORDER = {
  merchantTransactionId: null,
  moto: false,
  payer: PAYER,
  billingAddress: null,
  shippingDetails: null,
  newTransaction: false,
  crossReference: null,
  webHook: null,
  metaData: null,
  waitPreExecute: false,
  customerId: null,
  paymentMethodId: null,
  previousTransactionId: null,
  cofSetup: null,
} as const
const BEGINS = {
  order: ORDER,
  token: 'issued',
  progress: 'none',
  authentication: 'none',
  reservation: 'none',
  money: 'none',
  submission: null,
  submittedAt: null,
  challenge: null,
  mustChallenge: false,
  proof: null,
  authenticationFailure: null,
  authorisationId: null,
  authCode: '',
  acquirerReference: '',
  declineReason: null,
  statusCode: null,
  message: '',
  finishedAt: null,
  crossReference: '',
  paymentMethodId: null,
  entries: NO_ENTRIES,
} as const

export const PAYMENT_AT_REST: AtRest<OnlinePayment> = {
  begins: BEGINS,
  shorten: record => ({
    id: record.id,
    merchantAccount: record.merchantAccount,
    order: shortOrder(record.order),
    version: record.version,
    token: unless(record.token, BEGINS.token),
    progress: unless(record.progress, BEGINS.progress),
    authentication: unless(record.authentication, BEGINS.authentication),
    reservation: unless(record.reservation, BEGINS.reservation),
    money: unless(record.money, BEGINS.money),
    createdAt: record.createdAt,
    submission: unless(record.submission, BEGINS.submission),
    submittedAt: unless(record.submittedAt, BEGINS.submittedAt),
    waitingSince: record.waitingSince,
    challenge: unless(record.challenge, BEGINS.challenge),
    mustChallenge: unless(record.mustChallenge, BEGINS.mustChallenge),
    proof: unless(record.proof, BEGINS.proof),
    authenticationFailure: unless(record.authenticationFailure, BEGINS.authenticationFailure),
    authorisationId: unless(record.authorisationId, BEGINS.authorisationId),
    authCode: unless(record.authCode, BEGINS.authCode),
    acquirerReference: unless(record.acquirerReference, BEGINS.acquirerReference),
    declineReason: unless(record.declineReason, BEGINS.declineReason),
    statusCode: unless(record.statusCode, BEGINS.statusCode),
    message: unless(record.message, BEGINS.message),
    finishedAt: unless(record.finishedAt, BEGINS.finishedAt),
    crossReference: unless(record.crossReference, BEGINS.crossReference),
    paymentMethodId: unless(record.paymentMethodId, BEGINS.paymentMethodId),
    entries: unless(record.entries, BEGINS.entries),
    closure: record.closure,
    lateAnswer: record.lateAnswer,
  }),
}

export const ISSUE_AT_REST: AtRest<Issued> = {
  begins: { order: ORDER },
  shorten: event => ({
    type: event.type,
    id: event.id,
    merchantAccount: event.merchantAccount,
    order: shortOrder(event.order),
  }),
}

function shortOrder(order: TokenOrder): Shortened<TokenOrder> {
  return {
    transactionType: order.transactionType,
    amountMinor: order.amountMinor,
    currencyCode: order.currencyCode,
    orderId: order.orderId,
    orderDescription: order.orderDescription,
    merchantTransactionId: unless(order.merchantTransactionId, ORDER.merchantTransactionId),
    moto: unless(order.moto, ORDER.moto),
    payer: shortPayer(order.payer),
    billingAddress: unless(order.billingAddress, ORDER.billingAddress),
    shippingDetails: unless(order.shippingDetails, ORDER.shippingDetails),
    newTransaction: unless(order.newTransaction, ORDER.newTransaction),
    crossReference: unless(order.crossReference, ORDER.crossReference),
    webHook: unless(order.webHook, ORDER.webHook),
    metaData: unless(order.metaData, ORDER.metaData),
    waitPreExecute: unless(order.waitPreExecute, ORDER.waitPreExecute),
    customerId: unless(order.customerId, ORDER.customerId),
    paymentMethodId: unless(order.paymentMethodId, ORDER.paymentMethodId),
    previousTransactionId: unless(order.previousTransactionId, ORDER.previousTransactionId),
    cofSetup: unless(order.cofSetup, ORDER.cofSetup),
    partner: order.partner,
  }
}

function shortPayer(payer: Payer): Shortened<Payer> {
  return {
    userAgent: unless(payer.userAgent, ''),
    emailAddress: unless(payer.emailAddress, ''),
    phoneNumber: unless(payer.phoneNumber, ''),
    ipAddress: unless(payer.ipAddress, ''),
  }
}
