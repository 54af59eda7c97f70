// src/domain/webhooks/webhook-secrets.ts — the secrets that sign an account's webhooks. After a rotation webhooks have
// signatures of the new and the old secrets for a while.
import type { MerchantAccountId } from '../ids.ts'
import type { Decision, Effect, EventEnvelope, Timer } from '../machine.ts'
import type { Refusal } from '../refusals.ts'

export type SecretsEvent =
  | { readonly type: 'opened'; readonly merchantAccount: MerchantAccountId; readonly reference: string }
  | { readonly type: 'rotated'; readonly reference: string; readonly until: number }
  | { readonly type: 'retired'; readonly reference: string }

export interface WebhookSecrets {
  readonly merchantAccount: MerchantAccountId
  readonly version: number
  /** Vault reference of the current secret. */
  readonly current: { readonly reference: string; readonly since: number }
  /** Older secrets that still sign, newest first. */
  readonly previous: readonly { readonly reference: string; readonly until: number }[]
}

export type SecretsCommand =
  | { readonly type: 'open'; readonly merchantAccount: MerchantAccountId; readonly reference: string }
  | { readonly type: 'rotate'; readonly reference: string; readonly until: number }
  | { readonly type: 'time_is_up'; readonly at: number }

export interface SecretsEffect {
  readonly type: 'webhook.forget_secret'
  readonly reference: string
}

/** Limit of active secrets, because each makes the signature header longer. */
const MOST_SECRETS = 5

export function decide(record: WebhookSecrets | null, command: SecretsCommand): Decision<SecretsEvent, Refusal> {
  if (command.type === 'open') {
    if (record !== null) return { events: [] }
    const { merchantAccount, reference } = command
    return { events: [{ type: 'opened', merchantAccount, reference }] }
  }
  if (record === null) return { refused: { code: 'account_unknown' } }
  switch (command.type) {
    case 'rotate':
      // No secret is retired early, because receivers may still check with it.
      if (record.previous.length + 1 >= MOST_SECRETS) return { refused: { code: 'too_many_secrets' } }
      return { events: [{ type: 'rotated', reference: command.reference, until: command.until }] }
    case 'time_is_up':
      return {
        events: record.previous
          .filter(({ until }) => until <= command.at)
          .map(({ reference }) => ({ type: 'retired', reference }) as const),
      }
  }
}

export function apply(before: WebhookSecrets | null, { event, at }: EventEnvelope<SecretsEvent>): WebhookSecrets {
  if (event.type === 'opened') {
    const { merchantAccount, reference } = event
    return { merchantAccount, version: 1, current: { reference, since: at }, previous: [] }
  }
  if (before === null) throw new Error(`${event.type} before opened`)
  const record = { ...before, version: before.version + 1 }
  switch (event.type) {
    case 'rotated': {
      const old = { reference: before.current.reference, until: event.until }
      return { ...record, current: { reference: event.reference, since: at }, previous: [old, ...before.previous] }
    }
    case 'retired':
      return { ...record, previous: before.previous.filter(({ reference }) => reference !== event.reference) }
  }
}

export function effectsOf(event: SecretsEvent, record: WebhookSecrets): readonly Effect<SecretsEffect>[] {
  if (event.type !== 'retired') return []
  const payload: SecretsEffect = { type: 'webhook.forget_secret', reference: event.reference }
  return [{ id: `${record.merchantAccount}.secrets.${record.version}.${payload.type}`, type: payload.type, payload }]
}

export function timersOf({ previous }: WebhookSecrets): readonly Timer[] {
  const first = Math.min(...previous.map(({ until }) => until))
  return previous.length === 0 ? [] : [{ name: 'overlap', dueAt: first }]
}
