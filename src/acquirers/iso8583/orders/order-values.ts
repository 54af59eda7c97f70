// src/acquirers/iso8583/orders/order-values.ts — the values of the fields of an order, of its reversal and of its repetition.
import { currencies } from '../../../domain/currency.ts'
import type { AuthenticationProof } from '../../../domain/online/three-d-secure.ts'
import type { AcquirerOrder, EntryMode } from '../../../engine/ports/acquirer.ts'
import type { Values } from '../compose.ts'
import type { Dialect } from '../dialect.ts'
import type { DialectMessage } from '../dialect-messages.ts'
import type { FieldValue, SubField } from '../field-format.ts'
import { composeParts, type Parts } from '../parts.ts'
import { placeIn } from '../places.ts'
import type { OrderNote } from './journal.ts'

/** Fields that are noted, because a reversal repeats them. None has data of the card. */
const NOTED = [3, 4, 7, 11, 12, 13, 15, 18, 19, 22, 24, 25, 26, 28, 29, 32, 33, 37, 38, 41, 42, 43, 49]

const ENTRY: Readonly<Record<EntryMode, 'chip' | 'contactless' | 'stripe' | 'keyed' | 'online'>> = {
  ...{ ICC_CHIP: 'chip', CONTACTLESS: 'contactless', SWIPED: 'stripe', KEYED: 'keyed' },
  ...{ E_COMMERCE: 'online', MAIL_OR_TELEPHONE: 'keyed' },
}

/** Amount, currency, entry mode, condition and proof of an order; terminal and merchant where it names them. */
export function orderValues({ document, format }: Dialect, order: AcquirerOrder): Values {
  const { amount, terminalId, merchantId, online, networkReference, exemption } = order
  const mode = order.entryMode ?? (online === undefined ? 'ICC_CHIP' : 'E_COMMERCE')
  const { entryMode, condition, proof = {} } = document
  const values: Record<number, FieldValue> = {
    4: String(amount.minor),
    49: format.fields.get(49)?.type === 'a' ? amount.currency : numericOf(amount.currency),
    [entryMode.field]: entryMode[ENTRY[mode]],
    ...(terminalId === undefined ? {} : { 41: terminalId }),
    ...(merchantId === undefined ? {} : { 42: merchantId }),
  }
  if (condition !== undefined)
    values[condition.field] =
      networkReference !== undefined
        ? condition.recurring
        : mode === 'MAIL_OR_TELEPHONE'
          ? condition.mailOrTelephone
          : mode === 'E_COMMERCE'
            ? condition.online
            : condition.present
  const proven = online?.proof ?? null
  const wallet = online?.walletProof ?? null
  const placed = {
    ...(proven === null ? {} : provenValues(proven)),
    ...(wallet === null ? {} : { eci: wallet.eci, cavv: wallet.value }),
    ...(exemption === undefined ? {} : { exemption }),
    ...(networkReference === undefined ? {} : { networkReference }),
    ...(online?.securityCode == null ? {} : { securityCode: online.securityCode.reveal() }),
  }
  const paidOut = cashValue({ document, format }, order)
  if (paidOut !== null) values[54] = paidOut
  for (const [name, value] of Object.entries(placed)) {
    const place = proof[name as keyof typeof placed]
    if (place !== undefined && value !== '') put(values, format, place, value, name === 'cavv')
  }
  return values
}

/** Field 54 of an order that pays out cash; null for any other. */
function cashValue(
  { document, format }: Pick<Dialect, 'document' | 'format'>,
  { cashback }: AcquirerOrder,
): string | null {
  if (cashback === undefined || document.cashback === undefined) return null
  const { minor, currency } = cashback
  // A debit of the default account. Some hosts want the kind and the amount only.
  const debit = { account: '00', currency: numericOf(currency), sign: 'D' }
  return knownParts(format, 54, { ...debit, kind: document.cashback.kind, amount: String(minor) })
}

/** A field of the values that it has parts for; null for a field without parts. */
function knownParts({ fields }: Dialect['format'], number: number, values: Parts): string | null {
  const structure = fields.get(number)?.structure
  if (structure?.kind !== 'parts') return null
  const known = Object.entries(values).filter(([name]) => structure.parts.some(part => part.name === name))
  return composeParts(structure.parts, Object.fromEntries(known), String(number))
}

/** The message of a charge that pays out cash has a kind of its own in its processing code. */
export function withCash(message: DialectMessage, { document }: Dialect, { cashback }: AcquirerOrder): DialectMessage {
  const code = message.set[3]
  if (cashback === undefined || document.cashback === undefined || code === undefined) return message
  return { ...message, set: { ...message.set, 3: document.cashback.processing + code.slice(2) } }
}

/** Empty where it is not known: proofs of version 1.0, and of records of 0.1. */
function provenValues(proof: AuthenticationProof) {
  return {
    ...{ eci: proof.eci, cavv: proof.value, protocol: proof.version },
    dsTransactionId: proof.directoryServerTransactionId,
    serverTransactionId: proof.threeDSServerTransactionId ?? '',
    acsTransactionId: proof.acsTransactionId ?? '',
    messageVersion: proof.messageVersion ?? '',
  }
}

function put(
  values: Record<number, FieldValue>,
  { fields }: Dialect['format'],
  place: string,
  value: string,
  isBase64: boolean,
): void {
  const { field, part: id } = placeIn(place)
  if (id === undefined) {
    values[field] = value
    return
  }
  const structure = fields.get(field)?.structure
  const inHex = structure?.kind === 'ber' || (structure?.kind === 'tlv' && structure.values === 'hex')
  const bytes = Buffer.from(value, isBase64 ? 'base64' : 'latin1')
  const before = values[field]
  const others: readonly SubField[] = typeof before === 'string' || before === undefined ? [] : before
  values[field] = [...others, { id, value: inHex ? bytes.toString('hex').toUpperCase() : value }]
}

/** What of a message may be noted. Settings of the dialect are noted too: a reversal is sent with the same. */
export function notedFields({ document }: Dialect, fields: Values): Readonly<Record<number, string>> {
  const kept = new Set([...NOTED, ...document.settings])
  return Object.fromEntries(
    Object.entries(fields).flatMap(([number, value]) =>
      typeof value === 'string' && kept.has(Number(number)) ? [[number, value] as const] : [],
    ),
  )
}

/** Values of a reversal beside those of the card: what was sent, the authorisation code, and what names the original. */
export function reversalValues({ format }: Dialect, note: OrderNote): Values {
  const { sent, answer } = note
  if (sent === null) throw new Error(`order ${note.orderId} was not sent`)
  const { mti, fields } = sent
  const original = { mti, stan: fields[11] ?? '', acquirer: fields[32] ?? '', forwarder: fields[33] ?? '' }
  const partsOf = (number: number, times: Parts) => {
    const text = knownParts(format, number, { ...original, ...times })
    return text === null ? {} : { [number]: text }
  }
  return {
    ...fields,
    ...(answer?.answer === 'approved' && answer.authCode !== '' ? { 38: answer.authCode } : {}),
    ...partsOf(mti.startsWith('1') ? 56 : 90, { transmission: fields[7] ?? '', localTime: fields[12] ?? '' }),
  }
}

/** A reversal or upload names the kind of the original, so the original's processing code goes before that of the dialect. */
export function likeOriginal(message: DialectMessage, { sent }: OrderNote): DialectMessage {
  const code = sent?.fields[3]
  return code === undefined || message.set[3] === undefined ? message : { ...message, set: { ...message.set, 3: code } }
}

function numericOf(code: string): string {
  return currencies().find(currency => currency.code === code)?.numeric ?? code
}
