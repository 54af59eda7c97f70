// src/api/describe/pages/form-token.ts — reads what a hosted form needs of its access token, and who may frame it.
import { TOKEN_LIFE_MS } from '../../../domain/online/access-token.ts'
import { MERCHANT_ACCOUNT } from '../../../engine/machines.ts'
import type { RequestContext } from '../../operation.ts'

/** Pages on the developer's own machine. In a sandbox they may frame the form, whatever the merchant's hosts are. */
const OWN_MACHINE = ['localhost', '127.0.0.1'].flatMap(host => [`http://${host}:*`, `https://${host}:*`])

export interface FormToken {
  readonly account: string
  readonly amountMinor: number
  /** ISO 4217 numeric. */
  readonly currencyCode: string
  /** Sources for `frame-ancestors`. */
  readonly ancestors: readonly string[]
  /** Time of the account, epoch milliseconds. */
  readonly now: number
  /** Milliseconds until the token expires; 0 when it is expired, used or revoked. */
  readonly usableMs: number
}

/** Reads the facts of a token. Null when it does not exist. */
export async function formToken({ api }: RequestContext, token: string): Promise<FormToken | null> {
  const payment = token === '' ? undefined : (await api.online.find(token))?.record
  if (payment === undefined) return null
  const account = payment.merchantAccount
  const owner = await api.engine.read(MERCHANT_ACCOUNT, { account, id: account })
  const now = api.clocks.of(account).now()
  const ends = payment.createdAt + TOKEN_LIFE_MS - now
  return {
    account,
    amountMinor: payment.order.amountMinor,
    currencyCode: payment.order.currencyCode,
    ancestors: ancestorsOf(owner?.record.merchantHosts ?? [], api.settings.mode),
    now,
    usableMs: payment.token === 'issued' ? Math.max(0, ends) : 0,
  }
}

function ancestorsOf(hosts: readonly string[], mode: 'sandbox' | 'live'): readonly string[] {
  const secure = hosts.map(host => `https://${host}:*`)
  return mode === 'live' ? secure : ["'self'", ...OWN_MACHINE, ...secure, ...hosts.map(host => `http://${host}:*`)]
}
