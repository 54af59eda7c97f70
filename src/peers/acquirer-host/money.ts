// src/peers/acquirer-host/money.ts — decides requests that move or reserve money.

import { declineOf, type HostParts, outcomeOf } from './answering.ts'
import { selectedByAmount } from './answers.ts'
import type { Behaviour } from './behaviour.ts'
import type { Fields } from './codec.ts'
import type { Entry, EntryState, MoneyKind } from './ledger.ts'
import { checkedPin } from './pin-block.ts'
import type { Request } from './request.ts'

/** State of an approved entry, by kind. */
const STATE: Readonly<Record<MoneyKind, EntryState>> = {
  ...{ charge: 'charged', hold: 'held', capture: 'captured', refund: 'refunded', verify: 'verified' },
}

const CODE_LENGTH = 6
const REFERENCE_LENGTH = 12
const DAY_MS = 86_400_000

/** Decides a request. The first entry is its own, the others changed with it. */
export function decideMoney(parts: HostParts, request: Request, behaviour: Behaviour, entry: Entry): readonly Entry[] {
  const hold = entry.kind === 'capture' ? holdOf(parts, request) : null
  const code = declineCodeOf(parts, request, behaviour, hold)
  const dated = { ...entry, answeredFrom: 0, answer: { 15: settlementDate(parts) } }
  if (code === 'nothing') return [{ ...dated, isUnheard: true, state: 'declined' }]
  if (code !== null && code !== 'unheard') {
    const reference = referenceOf(parts, request)
    return [{ ...dated, reference, state: 'declined', answer: { ...dated.answer, 37: reference, 39: code } }]
  }
  const approved = approve(parts, request, dated, behaviour, hold)
  const own = code === 'unheard' ? { ...approved, isUnheard: true } : approved
  // A capture uses its hold up whole: what is not captured is released.
  return hold === null ? [own] : [own, { ...hold, state: 'captured', takenMinor: 0 }]
}

function approve(parts: HostParts, request: Request, entry: Entry, { faults }: Behaviour, hold: Entry | null): Entry {
  const { dialect, ledger } = parts
  const kind = entry.kind as MoneyKind
  const isPartial = faults.has('partly_approved') && (kind === 'charge' || kind === 'hold')
  const takenMinor = isPartial ? Math.floor(entry.amountMinor / 2) : entry.amountMinor
  const authCode = ledger.changes().toString(36).toUpperCase().padStart(CODE_LENGTH, '0')
  const reference = referenceOf(parts, request)
  const answer: Fields = {
    ...entry.answer,
    ...{ 37: reference, 38: authCode, 39: outcomeOf(dialect, isPartial ? 'partly_approved' : 'approved') },
    ...(isPartial ? { 4: String(takenMinor).padStart(12, '0') } : {}),
  }
  return { ...entry, state: STATE[kind], takenMinor, authCode, reference, answer, hold: hold?.key ?? null }
}

/** Null for an approval. A word when no answer is given: `nothing` moves no money, `unheard` does. */
function declineCodeOf(
  { dialect, pinKey }: HostParts,
  request: Request,
  { issuer }: Behaviour,
  hold: Entry | null,
): string | 'nothing' | 'unheard' | null {
  const isCapture = request.name === 'capture'
  if (isCapture && hold === null) return declineOf(dialect, 'no_pre_authorisation')
  if (hold !== null && request.amountMinor > hold.takenMinor) return declineOf(dialect, 'pre_authorisation_differs')
  if (checkedPin(request, pinKey) === 'wrong') return declineOf(dialect, 'incorrect_pin')
  if (issuer.answer === 'approved') return null
  if (issuer.answer !== null && issuer.answer !== 'nothing') return declineOf(dialect, issuer.answer)
  // An advice tells what has happened: its amount selects nothing.
  return request.isAdvice ? null : selectedByAmount(request.amountMinor, dialect.packing.standard)
}

/** The newest open hold of the terminal's merchant that the request names by approval code or reference. */
function holdOf({ ledger }: HostParts, { fields, merchant, currency }: Request): Entry | null {
  const named = (entry: Entry) =>
    (fields[38] !== undefined && entry.authCode === fields[38].trim()) ||
    (fields[38] === undefined && fields[37] !== undefined && entry.reference === fields[37])
  const found = ledger
    .entries()
    .filter(entry => entry.kind === 'hold' && entry.state === 'held' && entry.merchant === merchant && named(entry))
    .filter(entry => currency === '' || entry.currency === '' || entry.currency === currency)
  return found.at(-1) ?? null
}

/** The sender's reference, or one of the host's: last digit of the year, day, hour, number. */
function referenceOf({ dialect, time }: HostParts, { fields, stan }: Request): string {
  if (!dialect.assignsReference && fields[37] !== undefined) return fields[37]
  const now = new Date(time.now())
  const day = Math.floor((time.now() - Date.UTC(now.getUTCFullYear(), 0)) / DAY_MS) + 1
  const hour = String(now.getUTCHours()).padStart(2, '0')
  const reference = `${now.getUTCFullYear() % 10}${String(day).padStart(3, '0')}${hour}${stan}`
  return reference.padEnd(REFERENCE_LENGTH, '0').slice(0, REFERENCE_LENGTH)
}

/** Field 15: month and day, in 1993 after the year. */
function settlementDate({ dialect, time }: HostParts): string {
  const date = new Date(time.now()).toISOString().slice(0, 10).replaceAll('-', '')
  return dialect.packing.standard === '1987' ? date.slice(4) : date.slice(2)
}
