// src/simulator/interceptor/linked-caller.ts — identifies callers who press one terminal by a link. ADR 80.
import type { InterceptedOperation, Interceptor } from '../../api/interceptor.ts'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { TerminalLinks } from '../terminals/terminal-links.ts'

const ENDED = { refused: { code: 'link_ended' } } as const
const INSUFFICIENT = { refused: { code: 'link_insufficient' } } as const

/** @param accountOf reads an account that exists */
export function linkedCaller(
  links: TerminalLinks,
  accountOf: (id: string) => Promise<MerchantAccount>,
): NonNullable<Interceptor['callerByLink']> {
  return async ({ byLink }: InterceptedOperation, { headers }, { tid }) => {
    const [, token] = /^bearer[ \t]+(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const linked = token === undefined ? null : await links.find(token)
    if (linked === null) return null
    if (linked === 'over') return ENDED
    if (byLink !== true || tid !== linked.tid) return INSUFFICIENT
    const account = await accountOf(linked.merchantAccount)
    return account.status === 'enabled' ? account : ENDED
  }
}
