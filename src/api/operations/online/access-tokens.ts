// src/api/operations/online/access-tokens.ts — creates and revokes access tokens.

import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { hostIn } from '../../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../../domain/counter/transaction-events.ts'
import { TOKEN_LIFE_MS } from '../../../domain/online/access-token.ts'
import { ONLINE_PAYMENT } from '../../../engine/online-machine.ts'
import type { IssueOrder } from '../../../services/online/payments.ts'
import { TOKEN_REQUEST } from '../../online/schemas.ts'
import { readTokenRequest, type TokenRequest } from '../../online/token-request.ts'
import { type AccountRequestContext, type Answer, shopOperation } from '../../operation.ts'
import { keepablePartner, partnerInHeaders } from '../../partner.ts'
import { refusedFor } from '../../read/field-fault.ts'
import type { JsonObject, Refused } from '../../read/json-body.ts'

export const createAccessToken = shopOperation({
  name: 'createAccessToken',
  summary: 'Create an access token for one payment',
  description:
    'The token is valid for thirty minutes and one payment. Send it to the payer’s page; keep the JWT on the shop’s server. ' +
    'Field names are case-insensitive, empty fields count as absent, and unknown ones are ignored.',
  tag: 'Online payments',
  area: 'shop',
  method: 'POST',
  path: '/v1/access-tokens',
  body: {
    schema: TOKEN_REQUEST,
    examples: {
      sale: {
        merchantUrl: 'shop.example',
        currencyCode: '826',
        amount: '1999',
        transactionType: 'SALE',
        orderId: 'A-1001',
        orderDescription: 'Two tickets',
      },
    },
  },
  responses: {
    200: {
      description: 'The token, and when it expires (seconds since 1970, UTC).',
      schema: Type.Object({ id: Type.String(), expiresAt: Type.Integer() }),
      example: { id: 'AaGZNnLw…ZW1v', expiresAt: 1790001800 },
    },
  },
  headers: ['Software-House-Id', 'Installer-Id', 'Tollgate-Scenario'],
  refusals: ['online_field_invalid', 'card_number_misplaced', 'merchant_url_wrong', 'merchant_transaction_taken'],
  // Chained by `then` for speed, as in `till/start.ts`: each async function costs half a microsecond.
  run: (context, { json }) => json().then(sent => ('refused' in sent ? sent : issueAsRead(context, sent.value))),
})

function issueAsRead(context: AccountRequestContext, body: JsonObject): Refused | Promise<Answer> {
  const { request } = context
  const read = readTokenRequest(body, forwardedFor(request.headers['x-forwarded-for']))
  if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
  const { value, misplaced } = read
  if (misplaced.length === 0) return issue(context, value)
  return newAmong(context, value.order, misplaced).then(field =>
    field === undefined ? issue(context, value) : { refused: { code: 'card_number_misplaced', field } },
  )
}

/** The first of these fields whose value is not stored already: older versions took more, and what they took stays payable. */
async function newAmong(
  { api, account }: AccountRequestContext,
  { orderId, customerId, paymentMethodId, crossReference }: IssueOrder,
  fields: readonly string[],
): Promise<string | undefined> {
  const known: string[] = []
  const earlier = await api.store.list(account.id, { kind: ONLINE_PAYMENT.kind, parent: orderId, limit: 1 })
  if (earlier.length > 0) known.push('orderId')
  const source =
    paymentMethodId !== null
      ? await api.online.saved(account.id, paymentMethodId)
      : crossReference !== null && (await api.online.referred(account.id, crossReference))
  if (source && source.order.customerId === customerId) known.push('customerId')
  return fields.find(field => !known.includes(field))
}

function issue(
  { api, account, request }: AccountRequestContext,
  { merchantUrl, order }: TokenRequest,
): Refused | Promise<Answer> {
  const host = hostIn(merchantUrl)
  if (host === null || !(account.merchantHosts ?? []).includes(host)) return { refused: { code: 'merchant_url_wrong' } }
  const intercepted = api.interceptor.payment(request)
  if ('refused' in intercepted) return intercepted
  const partner = partnerIn(request.headers)
  return api.online.issue(account.id, partner === null ? order : { ...order, partner }).then(issued => {
    if ('refused' in issued) return issued
    intercepted.begins(issued.record)
    const expiresAt = Math.floor((issued.record.createdAt + TOKEN_LIFE_MS) / 1_000)
    return { status: 200, body: { id: issued.token, expiresAt } }
  })
}

export const revokeAccessToken = shopOperation({
  name: 'revokeAccessToken',
  summary: 'Revoke an access token',
  description: 'Possible while it is unused, and while its payer is being authenticated.',
  tag: 'Online payments',
  area: 'shop',
  method: 'POST',
  path: '/v1/access-tokens/{token}/revoke',
  responses: { 200: { description: 'The token is revoked.' } },
  refusals: ['access_token_unknown', 'payment_not_revocable'],
  async run(context, { params }) {
    const payment = await accountPayment(context, params.token)
    if (payment === null) return { refused: { code: 'access_token_unknown' } }
    const executed = await context.api.online.revoke({ account: context.account.id, id: payment.id })
    return 'refused' in executed ? executed : { status: 200 }
  },
})

/** Finds the payment of a token. Null when it does not exist or belongs to another account. */
export async function accountPayment({ api, account }: AccountRequestContext, token: string) {
  const payment = (await api.online.find(token))?.record ?? null
  return payment?.merchantAccount === account.id ? payment : null
}

/** Returns the first address, the payer's as the shop's server reports it. It is informational and not trusted. */
function forwardedFor(header: string | string[] | undefined): string {
  if (header === undefined) return ''
  const text = Array.isArray(header) ? header.join(',') : header
  return text.split(',')[0]?.trim().slice(0, 64) ?? ''
}

/** Reads the optional partner headers, which are stored with the payment. Null when there are none. */
function partnerIn(headers: IncomingHttpHeaders): Partner | null {
  const partner = keepablePartner(partnerInHeaders(headers))
  return partner.softwareHouseId === null && partner.installerId === null ? null : partner
}
