// src/simulator/interceptor/linked-caller.ts — identifies callers who press one terminal by a link. ADR 80.
import type { InterceptedOperation, Interceptor } from '../../api/interceptor.ts'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import { mayDo } from '../../domain/people/roles.ts'
import type { User } from '../../domain/people/user.ts'
import type { TerminalLinks } from '../terminals/terminal-links.ts'

const ENDED = { refused: { code: 'link_ended' } } as const
const INSUFFICIENT = { refused: { code: 'link_insufficient' } } as const

/** Reads what a link depends on, as it is now. */
export interface LinkDependencies {
  /** An account that exists. */
  accountOf(id: string): Promise<MerchantAccount>
  userOf(account: string, id: string): Promise<User | null>
}

/** A link of a user stops as the API keys of the user do: when the user ends, or may no longer press a terminal. */
export function linkedCaller(
  links: TerminalLinks,
  { accountOf, userOf }: LinkDependencies,
): NonNullable<Interceptor['callerByLink']> {
  return async ({ byLink }: InterceptedOperation, { headers }, { tid }) => {
    const [, token] = /^bearer[ \t]+(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const linked = token === undefined ? null : await links.find(token)
    if (linked === null) return null
    if (linked === 'over') return ENDED
    if (byLink !== true || tid !== linked.tid) return INSUFFICIENT
    const { merchantAccount, user } = linked
    // At once: what other nodes have changed is then read once for both.
    const [account, mayPress] = await Promise.all([
      accountOf(merchantAccount),
      user === null || userOf(merchantAccount, user).then(mayOperate),
    ])
    return account.status === 'enabled' && mayPress ? account : ENDED
  }
}

function mayOperate(user: User | null): boolean {
  return user?.status === 'active' && mayDo(user.role, 'operate')
}
