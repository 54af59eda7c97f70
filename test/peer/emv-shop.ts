// test/peer/emv-shop.ts — the real program with documents of directory servers, and a shop whose account `harbour` uses them.
import { emptyDirectory, runJson, type Serving, serving } from '../cli/tollgate.ts'

export type Json = Readonly<Record<string, unknown>>

export interface EmvShop {
  readonly data: string
  readonly env: Readonly<Record<string, string>>
  gateway: Serving
  /** A new access token of the account `harbour`. @param amount in pence; default 1999 */
  accessToken(amount?: string, more?: object): Promise<string>
  /** A payment as the shop's server reads it. */
  payment(token: string): Promise<Json>
  /** Cross reference of a payment that has succeeded. */
  referenceOf(token: string): Promise<string>
  /** Charges the card of an earlier payment from server to server. Returns the token of the new payment with its outcome. */
  repeat(crossReference: string): Promise<{ readonly token: string; readonly outcome: Json }>
  /** What has happened with a payment: names and data of events and messages, in order. */
  timeline(token: string): Promise<readonly { readonly what: string; readonly data: Json }[]>
  /** The proof of an authenticated payment; undefined without one. */
  proofOf(token: string): Promise<Json | undefined>
  /** Where the gateway listens, without TLS: the proxy at its public address is left out. */
  listening(): string
}

/** Starts the program. @param documents files that describe directory servers */
export async function openEmvShop(documents: readonly string[], publicUrl: string): Promise<EmvShop> {
  const env = { TOLLGATE_DIRECTORY_SERVER: documents.join(','), TOLLGATE_PUBLIC_URL: publicUrl }
  const data = emptyDirectory()
  const account = ['harbour', '--data', data, '--name', 'Harbour', '--merchant-host', 'shop.example']
  const create = ['accounts', 'create', ...account, '--directory-server', 'emv']
  const { apiKey } = await runJson<{ apiKey: string }>(create, env)
  const { token: jwt } = await runJson<{ token: string }>(['token', 'harbour', '--data', data], env)
  let orders = 0
  const ask = async (path: string, authorization: string, body?: object): Promise<Json> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json', authorization }
    const answer = await fetch(shop.listening() + path, { ...sent, headers })
    return (await answer.json()) as Json
  }
  const asShop = (path: string, body?: object) => ask(path, `Bearer ${jwt}`, body)
  const shop: EmvShop = {
    ...{ data, env, gateway: await serving(data, env) },
    listening: () => /"listening":"([^"]+)"/.exec(shop.gateway.said())?.[1] ?? '',
    async accessToken(amount = '1999', more = {}) {
      orders += 1
      return String((await asShop('/v1/access-tokens', { ...ORDER, amount, orderId: `R-${orders}`, ...more }))['id'])
    },
    payment: token => asShop(`/v1/payments/${token}`),
    referenceOf: async token => String((await shop.payment(token))['crossReference']),
    async repeat(crossReference) {
      const token = await shop.accessToken('1999', { crossReference })
      return { token, outcome: await asShop(`/v1/cross-reference-payments/${token}`, { crossReference }) }
    },
    async timeline(token) {
      const { entries } = await ask(`/api/payments/${token}/timeline`, `Basic ${btoa(`till:${apiKey}`)}`)
      return entries as readonly { what: string; data: Json }[]
    },
    async proofOf(token) {
      const event = (await shop.timeline(token)).find(({ what }) => what === 'authenticated')
      return (event?.data as { readonly proof: Json } | undefined)?.proof
    },
  }
  return shop
}

const ORDER = { merchantUrl: 'shop.example', currencyCode: '826', transactionType: 'SALE' }
