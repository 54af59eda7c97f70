// src/services/webhooks/webhook-secret-keeper.ts — creates, opens and rotates an account's webhook secrets.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { SecretsEffect, WebhookSecrets } from '../../domain/webhooks/webhook-secrets.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { StoredTimer } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { WEBHOOK_SECRETS } from '../../engine/webhook-machines.ts'
import { freshSecret } from './webhook-signature.ts'

/** The secrets in clear. */
export interface SecretsInForce {
  readonly current: string
  readonly since: number
  readonly previous: readonly { readonly secret: string; readonly until: number }[]
}

export interface SecretKeeper {
  /** The active secrets. Creates the first one of an account that has none. */
  of(account: MerchantAccountId): Promise<SecretsInForce>
  /** Creates a new secret. The one before keeps signing beside it for `overlapMs` milliseconds. Refuses `too_many_secrets`. */
  rotate(account: MerchantAccountId, overlapMs: number): Promise<SecretsInForce | { readonly refused: Refusal }>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

/** Binds secrets to their ports. */
export function createSecretKeeper(parts: {
  readonly engine: Engine
  readonly vault: Vault
  readonly clocks: Clocks
  readonly random: Random
}): SecretKeeper {
  const { engine, vault, clocks, random } = parts

  async function recordOf(account: MerchantAccountId): Promise<WebhookSecrets> {
    const key = { account, id: account }
    const entry = await engine.read(WEBHOOK_SECRETS, key)
    if (entry !== null) return entry.record
    const reference = await vault.storeText(account, 'webhook-secret', freshSecret(random), account)
    const executed = await engine.execute(WEBHOOK_SECRETS, key, { type: 'open', merchantAccount: account, reference })
    if (!('record' in executed)) throw new Error('the first webhook secret of an account was not created')
    // A concurrent call was faster.
    if (executed.record.current.reference !== reference && executed.events.length === 0)
      await vault.forget(account, reference)
    return executed.record
  }

  async function inForce(account: MerchantAccountId, record: WebhookSecrets): Promise<SecretsInForce> {
    const { current, previous } = record
    const now = clocks.of(account).now()
    const secrets: { secret: string; until: number }[] = []
    for (const { reference, until } of previous) {
      const secret = until <= now ? null : await vault.openText(account, 'webhook-secret', reference)
      if (secret !== null) secrets.push({ secret, until })
    }
    const secret = await vault.openText(account, 'webhook-secret', current.reference)
    if (secret === null) throw new Error('the secret that signs webhooks is not in the vault')
    return { current: secret, since: current.since, previous: secrets }
  }

  return {
    of: async account => inForce(account, await recordOf(account)),
    async rotate(account, overlapMs) {
      await recordOf(account)
      const reference = await vault.storeText(account, 'webhook-secret', freshSecret(random), account)
      const until = clocks.of(account).now() + overlapMs
      const executed = await engine.execute(
        WEBHOOK_SECRETS,
        { account, id: account },
        { type: 'rotate', reference, until },
      )
      if ('record' in executed) return inForce(account, executed.record)
      await vault.forget(account, reference)
      if ('refused' in executed) return executed
      throw new Error('a rotation of secrets has no idempotency key')
    },
    performers: {
      async 'webhook.forget_secret'(effect) {
        await vault.forget(effect.account, (JSON.parse(effect.body) as SecretsEffect).reference)
        return 'done'
      },
    },
    async fire({ account, id }) {
      const at = clocks.of(account).now()
      const executed = await engine.execute(
        WEBHOOK_SECRETS,
        { account, id },
        { type: 'time_is_up', at },
        { timer: true },
      )
      return 'events' in executed && executed.events.length > 0
    },
  }
}
