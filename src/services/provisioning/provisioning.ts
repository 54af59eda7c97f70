// src/services/provisioning/provisioning.ts — creates, configures and removes accounts, keys and terminals.

import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { KeyLimits } from '../../domain/accounts/key-limits.ts'
import type { AccountProfile, MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Terminal, TerminalSettings } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber, maskCardNumbers } from '../../domain/card-numbers.ts'
import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import { API_KEY, apiKeyLockKey, MERCHANT_ACCOUNT, TERMINAL } from '../../engine/machines.ts'
import type { Makes } from '../../engine/makes.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import type { Named, Registry } from '../../engine/registry.ts'
import { freshSecret, hashOfKey, type MadeKey, makeApiKey, revokeApiKey } from './api-key-store.ts'
import { type GivenDriverSettings, sealedSettings } from './driver-settings.ts'
import { setMerchantHosts } from './merchant-hosts.ts'

type Made<T> = { readonly record: T } | { readonly refused: Refusal }

export interface AccountOrder {
  readonly id: string
  readonly profile: AccountProfile
  readonly keyLabel: string
  /** Sets the first key, for the sandbox's own accounts. */
  readonly secret?: string
  /** Driver of its terminals; absent for the default. */
  readonly driver?: string
  readonly terminals: readonly string[]
}

export interface TerminalOrder {
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  /** Absent for the default. */
  readonly driver?: string
  readonly settings: TerminalSettings
  readonly driverSettings?: GivenDriverSettings
}

export interface Provisioning {
  /** Opens an account with its first key and its terminals. The account is written last, so it exists only when complete. */
  openAccount(
    order: AccountOrder,
  ): Promise<{ readonly record: MerchantAccount; readonly secret: string } | { readonly refused: Refusal }>
  /** Sets the API version for requests of this account that name none; null for the gateway's setting. */
  setDefaultVersion(id: string, defaultVersion: string | null): Promise<Made<MerchantAccount>>
  /** Sets the hosts of the account's web shops. */
  setMerchantHosts(id: string, merchantHosts: readonly string[]): Promise<Made<MerchantAccount>>
  /** Sets the hosts of an account that has none yet; does nothing for others. */
  ensureMerchantHosts(id: string, merchantHosts: readonly string[]): Promise<void>
  revokeAccount(id: string): Promise<Made<MerchantAccount>>
  /** As `makeApiKey`. Default: a key of nobody, without limits. */
  createKey(
    account: MerchantAccountId,
    label: string,
    of?: { readonly user?: string | null; readonly limits?: KeyLimits },
  ): Promise<MadeKey>
  /** Notes the end of a JWT that names a key, before it is handed out. `expiresAt`: epoch milliseconds. */
  noteJwt(account: MerchantAccountId, id: string, expiresAt: number): Promise<Made<ApiKey>>
  revokeKey(account: MerchantAccountId, id: string): Promise<Made<ApiKey>>
  addTerminal(order: TerminalOrder): Promise<Made<Terminal>>
  /** @param driverSettings replace all earlier ones; when absent, those stay */
  configureTerminal(
    account: MerchantAccountId,
    tid: TerminalId,
    changes: Partial<TerminalSettings>,
    driverSettings?: GivenDriverSettings,
  ): Promise<Made<Terminal>>
  removeTerminal(account: MerchantAccountId, tid: TerminalId): Promise<Made<Terminal>>
}

/** Default settings of a new terminal. */
export function freshSettings(currency: TerminalSettings['currency']): TerminalSettings {
  return {
    currency,
    gratuity: false,
    cashbackAllowed: true,
    printing: true,
    contactlessCustomerCopy: false,
    paceMs: null,
  }
}

/** Binds provisioning to the engine. */
export function createProvisioning({
  engine,
  store,
  random,
  vault,
  makes,
}: {
  readonly engine: Engine
  readonly store: Store
  readonly random: Random
  /** For the secrets of drivers. */
  readonly vault: Pick<Vault, 'storeText'>
  readonly makes: Makes
}): Provisioning {
  const addTerminal: Provisioning['addTerminal'] = async ({ account, tid, settings, driverSettings, ...order }) => {
    if (idHoldsCardNumber(tid)) return misplacedIn('tid')
    const make = makes.terminals.find(order.driver)
    if (make === null) return unknownMake('driver', makes.terminals)
    const sealed = await sealedSettings(vault, make, { account, tid }, driverSettings)
    if ('refused' in sealed) return sealed
    const command = { type: 'add', tid, merchantAccount: account, driver: make.name, settings, ...sealed } as const
    return madeOf(await engine.execute(TERMINAL, { account, id: tid }, command))
  }

  return {
    async openAccount(order) {
      const { id } = order
      const { name, address } = order.profile
      // First lines of receipts. Ids are refused instead.
      const profile = { ...order.profile, name: maskCardNumbers(name), address: maskCardNumbers(address) }
      if ((await engine.read(MERCHANT_ACCOUNT, { account: id, id })) !== null)
        return { refused: { code: 'already_exists', field: id } }
      const misplaced = idWithCard(order)
      if (misplaced !== null) return misplacedIn(misplaced)
      for (const field of ['acquirer', 'directoryServer'] as const)
        if (profile[field] !== undefined && makes[`${field}s`].find(profile[field]) === null)
          return unknownMake(field, makes[`${field}s`])
      const { driver } = order
      for (const tid of order.terminals) {
        const settings = freshSettings(profile.currency)
        const added = await addTerminal({ account: id, tid, settings, ...(driver === undefined ? {} : { driver }) })
        // An earlier attempt may have added this terminal.
        if ('refused' in added && added.refused.code !== 'already_exists') return added
      }
      const secret = order.secret ?? freshSecret(random)
      // An earlier attempt may have created the key and then failed.
      if ((await store.accountKeyHolderOf(apiKeyLockKey(hashOfKey(secret)))) === null)
        await makeApiKey({ engine, random }, id, { label: order.keyLabel, user: null, secret })
      const made = madeOf(await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: 'create', id, profile }))
      return 'refused' in made ? made : { record: made.record, secret }
    },
    async createKey(account, label, { user = null, limits = {} } = {}) {
      const owner = await engine.read(MERCHANT_ACCOUNT, { account, id: account })
      if (owner === null) return { refused: { code: 'account_unknown' } }
      return makeApiKey({ engine, random }, account, { label, user, limits })
    },
    addTerminal,
    setDefaultVersion: async (id, defaultVersion) =>
      madeOf(await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: 'configure', defaultVersion })),
    setMerchantHosts: (id, merchantHosts) => setMerchantHosts({ engine }, id, merchantHosts),
    async ensureMerchantHosts(id, merchantHosts) {
      const account = (await engine.read(MERCHANT_ACCOUNT, { account: id, id }))?.record
      if (account?.status === 'enabled' && account.merchantHosts === undefined)
        await setMerchantHosts({ engine }, id, merchantHosts)
    },
    revokeAccount: async id => madeOf(await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: 'revoke' })),
    noteJwt: async (account, id, expiresAt) =>
      madeOf(await engine.execute(API_KEY, { account, id }, { type: 'sign_jwt', expiresAt })),
    revokeKey: (account, id) => revokeApiKey({ engine }, account, id),
    async configureTerminal(account, tid, changes, given) {
      const key = { account, id: tid }
      if (given === undefined) return madeOf(await engine.execute(TERMINAL, key, { type: 'configure', changes }))
      const terminal = (await engine.read(TERMINAL, key))?.record
      if (terminal === undefined) return { refused: { code: 'terminal_unavailable', tid } }
      const make = makes.terminals.find(terminal.driver)
      if (make === null) return unknownMake('driver', makes.terminals)
      const sealed = await sealedSettings(vault, make, { account, tid }, given)
      if ('refused' in sealed) return sealed
      return madeOf(await engine.execute(TERMINAL, key, { type: 'configure', changes, ...sealed }))
    },
    removeTerminal: async (account, tid) =>
      madeOf(await engine.execute(TERMINAL, { account, id: tid }, { type: 'remove' })),
  }
}

/** The field of an order with an id that may be a card number. Ids are stored in clear. ADR 52. */
function idWithCard({ id, profile: { merchantNumber, merchantHosts = [] } }: AccountOrder): string | null {
  if (idHoldsCardNumber(id)) return 'id'
  // Acquirers number their merchants with up to 15 digits, and nobody can put a letter before those.
  if (idHoldsCardNumber(merchantNumber) && !/^[^3]\d{11,14}$/.test(merchantNumber)) return 'merchantNumber'
  return merchantHosts.some(idHoldsCardNumber) ? 'merchantHosts' : null
}

function unknownMake(field: string, { all }: Registry<Named>): { readonly refused: Refusal } {
  return {
    refused: {
      code: 'field_invalid',
      field,
      detail: `is not known. It must be ${all.map(({ name }) => name).join(' or ')}.`,
    },
  }
}

function misplacedIn(field: string): { readonly refused: Refusal } {
  return { refused: { code: 'card_number_misplaced', field } }
}

function madeOf<R, E>(executed: Executed<R, E>): Made<R> {
  if ('refused' in executed) return executed
  if ('repeated' in executed) throw new Error('provisioning has no idempotency key')
  return { record: executed.record }
}
