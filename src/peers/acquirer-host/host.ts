// src/peers/acquirer-host/host.ts — decides what the host answers to a message. It acts once on each; a repeat gets the same answer.
import { answerTo, declineOf, formatError, type HostParts, outcomeOf } from './answering.ts'
import type { Behaviour } from './behaviour.ts'
import { cashIn, isCashInOrder } from './cash.ts'
import { chipFault } from './chip-data.ts'
import { type Fields, type Message, valueFault } from './codec.ts'
import { type Dialect, missingField } from './dialect.ts'
import type { Entry } from './ledger.ts'
import { decideMoney } from './money.ts'
import { reconcile, takeUpload } from './reconciliation.ts'
import { moneyKind, type Request } from './request.ts'
import { reverse } from './reversals.ts'

/** What a connection has agreed on. */
export interface Session {
  isSignedOn: boolean
}

/**
 * Acts on a request and returns the answer. The ledger has it, on disk, before this returns.
 * @returns null when the host does not answer
 */
export function decide(parts: HostParts, request: Request, behaviour: Behaviour, session: Session): Message | null {
  const { dialect, ledger, time } = parts
  const refused = refusal(parts, request, session)
  if (refused !== null) return answerTo(request, dialect, refused)
  if (request.concern === 'network') return answerTo(request, dialect, manageNetwork(parts, request, session))
  if (behaviour.issuer.answer === 'nothing') return null
  const known = ledger.find(request.key)
  if (known === null || (known.state === 'undecided' && known.content === request.content))
    return answerFrom(act(parts, request, behaviour, known), request, parts)
  // Its reversal came first, or before it was decided.
  if (known.kind === 'unseen' || (known.state === 'reversed' && known.answer[39] === undefined))
    return answerTo(request, dialect, { 39: declineOf(dialect, 'do_not_honour') })
  if (known.content !== request.content) return answerTo(request, dialect, { 39: outcomeOf(dialect, 'duplicate') })
  return known.answeredFrom > time.now() ? null : answerFrom(known, request, parts)
}

function answerFrom(entry: Entry, request: Request, { dialect, time }: HostParts): Message | null {
  if (entry.isUnheard || entry.state === 'undecided' || entry.answeredFrom > time.now()) return null
  return answerTo(request, dialect, entry.answer)
}

/** Fields of an answer that refuses a message before anything is done; null when it is in order. */
function refusal(parts: HostParts, request: Request, session: Session): Fields | null {
  const { dialect } = parts
  const faulty = faultyField(request, dialect)
  if (faulty !== null) return formatError(dialect, faulty)
  if (request.name === null)
    return { 39: outcomeOf(dialect, request.mti.charAt(1) === '6' ? 'not_supported' : 'invalid_transaction') }
  const missing = request.form === null ? null : missingField(request.fields, request.form)
  if (missing !== null) return formatError(dialect, missing)
  const mustSignOn = dialect.messages.some(({ name }) => name === 'signOn')
  if (mustSignOn && !session.isSignedOn && request.concern !== 'network')
    return { 39: outcomeOf(dialect, 'signed_off') }
  return null
}

function faultyField({ fields, mti }: Request, { packing }: Dialect): number | null {
  for (const [name, value] of Object.entries(fields)) {
    const format = packing.fields.get(Number(name))
    if (format !== undefined && valueFault(value, format) !== null) return Number(name)
  }
  if (Number(fields[11] ?? 1) === 0) return 11
  if (/^.[12]/.test(mti) && !isCashInOrder(fields)) return 54
  return chipFault(fields, cashIn(fields)) === null ? null : 55
}

function manageNetwork({ dialect }: HostParts, { name }: Request, session: Session): Fields {
  if (name === 'signOn') session.isSignedOn = true
  if (name === 'signOff') session.isSignedOn = false
  return { 39: outcomeOf(dialect, 'network_ok') }
}

/** Acts on a message that is not in the ledger, or that is and has not been decided. */
function act(parts: HostParts, request: Request, behaviour: Behaviour, known: Entry | null): Entry {
  const at = parts.time.now()
  const entry = known ?? newEntry(request, behaviour, at)
  const kind = request.name === null ? null : moneyKind(request.name)
  if (kind !== null) {
    const { lateMs } = behaviour.issuer
    if (known === null && lateMs > 0) return written(parts, [{ ...entry, kind, answeredFrom: at + lateMs }])
    if (known !== null && known.answeredFrom > at) return known
    return written(parts, decideMoney(parts, request, behaviour, { ...entry, kind }))
  }
  if (request.name === 'reverse') return written(parts, reverse(parts, request, behaviour, entry))
  if (request.name === 'reconcile') return written(parts, reconcile(parts, request, behaviour, entry))
  return written(parts, takeUpload(parts, request, entry))
}

/** Writes entries and returns the first. None is written for a reversal that is not answered yet. */
function written({ ledger }: HostParts, entries: readonly Entry[]): Entry {
  const [first] = entries
  if (first === undefined) throw new Error('a decision has an entry')
  const changed = entries.filter(({ kind, state }) => kind !== 'reversal' || state !== 'undecided')
  if (changed.length > 0) ledger.write(changed)
  return first
}

function newEntry(request: Request, { issuer }: Behaviour, at: number): Entry {
  const { key, mti, terminal, merchant, stan, content, amountMinor, currency, card, fields } = request
  return {
    ...{ key, mti, terminal, merchant, stan, content, amountMinor, currency, at },
    ...{ kind: 'unseen', state: 'undecided', card: card ?? '', reference: fields[37] ?? '', authCode: '' },
    ...{ takenMinor: 0, answer: {}, isUnheard: issuer.unheard, answeredFrom: 0, hold: null, batch: null },
    reversibleFrom: issuer.reversalMs > 0 ? at + issuer.reversalMs : 0,
  }
}
