// src/services/people/users.ts — adds, changes and ends the users of an account.
import { idHoldsCardNumber, maskCardNumbers } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Role } from '../../domain/people/roles.ts'
import { USER_NAME, USER_NAME_RULE, type User, type UserFacts } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import { recordsOf } from '../../engine/pages.ts'
import { USER } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'
import { faultOfPassword, type Passwords } from './passwords.ts'

export interface UserOrder {
  /** The name to sign in by; stored in lower case. */
  readonly user: string
  /** The person's name. */
  readonly name: string
  readonly role: Role
  readonly password: string
}

type Made = { readonly record: User } | { readonly refused: Refusal }

export interface Users {
  add(account: MerchantAccountId, order: UserOrder): Promise<Made>
  /** @param keepsOwner whether the last owner is refused; the command line can make another one */
  changeRole(account: MerchantAccountId, user: string, role: Role, keepsOwner: boolean): Promise<Made>
  /** Ends the user's sessions, too. */
  setPassword(account: MerchantAccountId, user: string, password: string): Promise<Made>
  /** Takes away one-time codes and passkeys, for somebody who has lost them. The password stays. */
  removeFactors(account: MerchantAccountId, user: string): Promise<Made>
  /** For good. Ends the user's sessions, too. */
  end(account: MerchantAccountId, user: string, keepsOwner: boolean): Promise<Made>
  /** An active user; null when there is none. */
  find(account: MerchantAccountId, user: string): Promise<User | null>
  /** All users, newest first, also those that have ended. */
  list(account: MerchantAccountId): Promise<readonly User[]>
}

export interface UsersParts {
  readonly engine: Engine
  readonly store: Store
  readonly clock: Clock
  readonly passwords: Passwords
}

const BUSY = { refused: { code: 'gateway_busy' } } as const

export function createUsers({ engine, store, clock, passwords }: UsersParts): Users {
  const list: Users['list'] = async account => (await recordsOf(store, account, USER)).toReversed()
  const keyOf = (account: MerchantAccountId, user: string) => ({ account, id: user.toLowerCase() })

  /** Whether somebody else can still do what only an owner may. */
  async function factsOf(account: MerchantAccountId, user: string, keepsOwner: boolean): Promise<UserFacts> {
    if (!keepsOwner) return {}
    const users = await list(account)
    const { id } = keyOf(account, user)
    return { hasOtherOwner: users.some(each => each.id !== id && each.role === 'owner' && each.status === 'active') }
  }

  return {
    async add(account, { user, name, role, password }) {
      const id = user.toLowerCase()
      const fault = faultOfName(id) ?? faultOfPassword(password, id)
      if (fault !== null) return { refused: fault }
      const hashed = await passwords.hash(password)
      if (hashed === null) return BUSY
      const added = { id, merchantAccount: account, name: maskCardNumbers(name), role, password: hashed }
      return madeOf(await engine.execute(USER, { account, id }, { type: 'add', ...added, now: clock.now() }))
    },
    async changeRole(account, user, role, keepsOwner) {
      const facts = () => factsOf(account, user, keepsOwner)
      return madeOf(await engine.execute(USER, keyOf(account, user), { type: 'change_role', role }, { facts }))
    },
    async setPassword(account, user, password) {
      const fault = faultOfPassword(password, user)
      if (fault !== null) return { refused: fault }
      const hashed = await passwords.hash(password)
      if (hashed === null) return BUSY
      const command = { type: 'set_password', password: hashed, now: clock.now() } as const
      return madeOf(await engine.execute(USER, keyOf(account, user), command))
    },
    removeFactors: async (account, user) =>
      madeOf(await engine.execute(USER, keyOf(account, user), { type: 'remove_factors' })),
    async end(account, user, keepsOwner) {
      const facts = () => factsOf(account, user, keepsOwner)
      return madeOf(await engine.execute(USER, keyOf(account, user), { type: 'end' }, { facts }))
    },
    async find(account, user) {
      const record = (await engine.read(USER, keyOf(account, user)))?.record
      return record?.status === 'active' ? record : null
    },
    list,
  }
}

function faultOfName(id: string): Refusal | null {
  if (!USER_NAME.test(id)) return { code: 'field_invalid', field: 'user', detail: USER_NAME_RULE }
  return idHoldsCardNumber(id) ? { code: 'card_number_misplaced', field: 'user' } : null
}

function madeOf(executed: Executed<User, unknown>): Made {
  if ('repeated' in executed) throw new Error('users have no idempotency key')
  return 'refused' in executed ? executed : { record: executed.record }
}
