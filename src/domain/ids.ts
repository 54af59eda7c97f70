// src/domain/ids.ts — ids of different kinds are different types, though all of them are strings.

declare const kind: unique symbol

/**
 * A string that names one kind of thing. A plain string from outside becomes one where it is handed in; an id of one kind is
 * never taken for one of another. Nothing of this is there when the program runs. ADR 49.
 */
type Id<Kind extends string> = string & { readonly [kind]?: Kind }

export type MerchantAccountId = Id<'merchant account'>
/** Eight digits on most terminals: what the published files call `tid`. */
export type TerminalId = Id<'terminal'>
/** Of a counter transaction or a report: what runs on a terminal. */
export type RequestId = Id<'request'>
export type TableId = Id<'table'>
/** Of a share of a table, given by the terminal. */
export type TablePaymentId = Id<'payment of a table'>
/**
 * What a shop and a browser hold: the secret under which an online payment is made. No plain string is one; `readToken` and
 * `freshToken` make them.
 */
export type AccessToken = string & { readonly [kind]: 'access token' }
/** Of an online payment: the hash of its access token, never the token. */
export type PaymentId = Id<'online payment'>
/** Of work after a commit. Acquirers know an order by the effect that asks for it. */
export type EffectId = Id<'effect'>
export type DeliveryId = Id<'webhook delivery'>
export type PosMessageId = Id<'message to a POS'>

/** The id by which a record is found: each kind of record has one of these members. */
export type IdOf<Record> = Record extends { readonly requestId: infer RecordId extends string }
  ? RecordId
  : Record extends { readonly messageId: infer RecordId extends string }
    ? RecordId
    : Record extends { readonly deliveryId: infer RecordId extends string }
      ? RecordId
      : Record extends { readonly tableId: infer RecordId extends string }
        ? RecordId
        : Record extends { readonly tid: infer RecordId extends string }
          ? RecordId
          : Record extends { readonly id: infer RecordId extends string }
            ? RecordId
            : string
