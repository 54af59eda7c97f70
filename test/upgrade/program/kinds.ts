// test/upgrade/program/kinds.ts — all kinds of records and types of events.
import type { KeyEvent } from '../../../src/domain/accounts/api-key.ts'
import type { JwtKeyEvent } from '../../../src/domain/accounts/jwt-key.ts'
import type { AccountEvent } from '../../../src/domain/accounts/merchant-account.ts'
import type { TerminalEvent } from '../../../src/domain/accounts/terminal.ts'
import type { TransactionEvent } from '../../../src/domain/counter/transaction-events.ts'
import type { OnlinePaymentEvent } from '../../../src/domain/online/payment-events.ts'
import type { ReportEvent } from '../../../src/domain/reports/report.ts'
import type { MessageEvent } from '../../../src/domain/tables/pos-message.ts'
import type { TableEvent } from '../../../src/domain/tables/table.ts'
import type { DeliveryEvent } from '../../../src/domain/webhooks/webhook-delivery.ts'
import type { SecretsEvent } from '../../../src/domain/webhooks/webhook-secrets.ts'
import { MACHINES } from '../../../src/engine/all-machines.ts'
import {
  API_KEY,
  JWT_KEY,
  MERCHANT_ACCOUNT,
  REPORT,
  TABLE,
  TERMINAL,
  TERMINAL_TRANSACTION,
  TILL_MESSAGE,
} from '../../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../../src/engine/online-machine.ts'
import { EXCHANGE_KINDS } from '../../../src/engine/ports/terminal.ts'
import { AUTHENTICATION_KIND, DEVICE_DATA_KIND } from '../../../src/engine/ports/three-d-secure.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from '../../../src/engine/webhook-machines.ts'
import { VAULT_KINDS } from '../../../src/platform/vault/entries.ts'
import type { Collection } from '../../../src/simulator/memory/memory.ts'

/** All types of a union. A missing or foreign type does not compile. */
function typesOf<Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], 1>>,
): readonly string[] {
  return Object.keys(types)
}

/** Kinds of records with their types of events. Records of vault and wallets have none. */
export const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  [TERMINAL_TRANSACTION.kind]: typesOf<TransactionEvent>({
    ...{ started: 1, prompted: 1, paper_ran_out: 1, card_read: 1, pin_requested: 1, linking: 1 },
    ...{ authorisation_requested: 1, authorisation_approved: 1, authorisation_declined: 1 },
    ...{ authorisation_unanswered: 1, authorisation_confirmed: 1, reversal_requested: 1, reversed: 1 },
    ...{ signature_requested: 1, signature_decided: 1, signature_timed_out: 1, signature_applied: 1 },
    ...{ signature_not_applied: 1, outcome_shown: 1, card_removal_prompted: 1, cancel_requested: 1 },
    ...{ cancel_accepted: 1, cancel_refused: 1, cancel_done: 1, asked_too_late: 1, ended: 1, timed_out: 1 },
    ...{ found_successful: 1, found_unsuccessful: 1, found_after_closing: 1 },
    ...{ closed_as_taken: 1, closed_as_not_taken: 1 },
  }),
  [REPORT.kind]: typesOf<ReportEvent>({ requested: 1, started: 1, totals_read: 1, timed_out: 1 }),
  [TABLE.kind]: typesOf<TableEvent>({
    ...{ created: 1, amount_changed: 1, bill_changed: 1, waiters_changed: 1, locked: 1, unlocked: 1 },
    ...{ payment_begun: 1, payment_recorded: 1, payment_dropped: 1, payments_told: 1, closed: 1 },
  }),
  [TILL_MESSAGE.kind]: typesOf<MessageEvent>({ written: 1, sent: 1, expired: 1 }),
  [MERCHANT_ACCOUNT.kind]: typesOf<AccountEvent>({ created: 1, configured: 1, merchant_hosts_set: 1, revoked: 1 }),
  [API_KEY.kind]: typesOf<KeyEvent>({ created: 1, jwt_signed: 1, revoked: 1 }),
  [JWT_KEY.kind]: typesOf<JwtKeyEvent>({ registered: 1, revoked: 1 }),
  [TERMINAL.kind]: typesOf<TerminalEvent>({ added: 1, configured: 1, removed: 1 }),
  [ONLINE_PAYMENT.kind]: typesOf<OnlinePaymentEvent>({
    ...{ issued: 1, expired: 1, revoked: 1, submitted: 1, lookup_requested: 1, not_enrolled: 1 },
    ...{ challenge_requested: 1, authenticated: 1, exempted: 1, authentication_failed: 1, paused: 1, resumed: 1 },
    ...{ reservation_requested: 1, reserved: 1, reservation_refused: 1, reservation_settled: 1 },
    ...{ reservation_released: 1, authorisation_requested: 1, authorisation_approved: 1 },
    ...{ authorisation_declined: 1, authorisation_unanswered: 1, reversal_requested: 1, reversed: 1 },
    ...{ closed_as_taken: 1, closed_as_not_taken: 1, answered_late: 1, ended: 1 },
    ...{ link_reserved: 1, link_settled: 1, link_released: 1, link_refunded: 1 },
  }),
  [WEBHOOK_DELIVERY.kind]: typesOf<DeliveryEvent>({
    ...{ announced: 1, turn_came: 1, retry_came: 1, resend_asked: 1, accepted: 1, failed: 1, gave_up: 1 },
  }),
  [WEBHOOK_SECRETS.kind]: typesOf<SecretsEvent>({ opened: 1, rotated: 1, retired: 1 }),
}

/** All kinds of records in the store. */
export const KINDS: readonly string[] = [
  ...MACHINES.map(({ kind }) => kind),
  ...VAULT_KINDS,
  // A signed wallet message is accepted once.
  'wallet-message',
  ...EXCHANGE_KINDS,
  // Audit and reference numbers of acquirers.
  'iso8583-number',
  AUTHENTICATION_KIND,
  DEVICE_DATA_KIND,
]

/** All collections of the simulator's memory that 0.1 writes. */
export const SHELVES: readonly string[] = Object.keys({
  ...{ device: 1, journal: 1, order: 1, hold: 1, authentication: 1, 'authentication-wish': 1 },
  ...{ 'online-script': 1, scenario: 1, clock: 1, snapshot: 1 },
} satisfies Record<Exclude<Collection, 'reversal' | 'fault' | 'restore' | 'terminal-link'>, 1>)
