// src/domain/ids.ts — types of ids: strings that cannot be mixed up.

declare const kind: unique symbol

/**
 * An id of one kind of thing. A plain string can be assigned to it, but an id of another kind cannot. It has no run-time
 * cost. ADR 49.
 */
type Id<Kind extends string> = string & { readonly [kind]?: Kind }

export type MerchantAccountId = Id<'merchant account'>
/** Eight digits on most terminals; `tid` on the wire. */
export type TerminalId = Id<'terminal'>
/** Id of a counter transaction or a report, both of which run on a terminal. */
export type RequestId = Id<'request'>
export type TableId = Id<'table'>
/** Id of a share of a table; the terminal generates it. */
export type TablePaymentId = Id<'payment of a table'>
/**
 * The secret of an online payment, known to the shop and the browser. A plain string cannot be assigned to it; `readToken`
 * and `freshToken` create it.
 */
export type AccessToken = string & { readonly [kind]: 'access token' }
/** Id of an online payment: the hash of its access token, never the token. */
export type PaymentId = Id<'online payment'>
/** Id of an effect. Acquirers get it as the order id. */
export type EffectId = Id<'effect'>
export type DeliveryId = Id<'webhook delivery'>
export type PosMessageId = Id<'message to a POS'>

/** The type of a record's id: each kind of record has one of these members. */
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
