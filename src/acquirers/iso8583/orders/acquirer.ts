// src/acquirers/iso8583/orders/acquirer.ts — the acquirer port over an ISO 8583 host: each order is sent once, and its end is known. ADR 86.
import type { Acquirer, AcquirerAnswer, AcquirerOrder, CaptureOrder } from '../../../engine/ports/acquirer.ts'
import type { Store } from '../../../engine/ports/store.ts'
import type { Vault } from '../../../engine/ports/vault.ts'
import { composeMessage, type Values } from '../compose.ts'
import type { Outcome } from '../connection/exchanges.ts'
import type { HostConnection } from '../connection/host-connection.ts'
import { type Message, packMessage, type UnpackedMessage, unpackMessage } from '../message-codec.ts'
import { Refused } from '../refused.ts'
import { timesOf } from '../times.ts'
import { createDueSteps, nameOf } from './due-steps.ts'
import { createJournalWithEnds } from './ends.ts'
import { createExclusive } from './exclusive.ts'
import { createHolds, type Prepared } from './holds.ts'
import {
  declined,
  EMPTY_NOTE,
  type FinalAnswer,
  type Noted,
  type OrderKind,
  type OrderNote,
  UNDONE,
} from './journal.ts'
import { createNumbers } from './numbers.ts'
import { createOldCards } from './old-cards.ts'
import { cardOf, type OrderCard, sealedText } from './order-card.ts'
import { GRACE_MS, identityOf, isAdvice, logged, type OrderParts } from './order-parts.ts'
import { forwardedPin } from './order-pin.ts'
import { notedFields, orderValues, withCash } from './order-values.ts'
import { isInterim, readAnswer } from './reading-answers.ts'

export type Iso8583Parts = Omit<OrderParts, 'journal' | 'numbers' | 'connection' | 'vault'> & {
  readonly name: string
  readonly store: Store
  readonly vault: Pick<Vault, 'storeText' | 'openText' | 'forget' | 'entries'>
  /** Makes the connection. Its network messages share the audit numbers of the orders. */
  readonly connect: (nextStan: () => Promise<string>) => HostConnection
}

export interface Iso8583Acquirer extends Acquirer {
  readonly connection: HostConnection
  /** Connects, and takes up what earlier processes have left. Does not wait for the host. */
  start(): Promise<void>
  /** Waits for answers to what is under way, and closes the connection. */
  close(limitMs: number): Promise<void>
}

/** Account of numbers that belong to no merchant: settings are then those of the host. */
const NO_ACCOUNT = ''

const UNKNOWN: AcquirerAnswer = { answer: 'unknown' }

/** A message that is ready, as the host will read it, with its card. */
interface Made {
  readonly message: Message
  readonly itself: UnpackedMessage
  readonly card: OrderCard
}

/** A late answer, and whether it came while a reversal waited for its own. */
interface Arrival {
  readonly answer: UnpackedMessage
  readonly duringReversal: boolean
}

/** Creates the acquirer. Calls about one order wait for each other. */
export function createIso8583Acquirer(given: Iso8583Parts): Iso8583Acquirer {
  const { store, clock, dialect, vault, log } = given
  const numbers = createNumbers(store, clock)
  const connection = given.connect(() => numbers.stan(identityOf(dialect, given.settingsOf(NO_ACCOUNT))))
  const { journal, awaitEnd } = createJournalWithEnds(store, clock)
  const parts = { ...given, journal, numbers, connection }
  const { timers, standard, identity } = dialect.document
  const exclusive = createExclusive()
  const due = createDueSteps({ ...parts, exclusive })
  const holds = createHolds(parts)
  const oldCards = createOldCards(parts, dialect.document.keepDays)

  function ask(order: AcquirerOrder, kind: OrderKind, prepare: (order: AcquirerOrder) => Promise<Prepared> = plain) {
    return exclusive(nameOf(order.account, order.orderId), async () => {
      const noted = (await journal.load(order.account, order.orderId)) ?? (await journal.add(newNote(order, kind)))
      // Another process was faster; the next call finds its note.
      if (noted === null) return UNKNOWN
      refuseOther(noted.note, order, kind)
      return knownAnswer(noted.note) ?? (noted.note.phase === 'made' ? send(noted, order, kind, prepare) : UNKNOWN)
    })
  }

  async function plain(): Promise<Prepared> {
    return { values: identity.rrn === 'ours' ? { 37: await numbers.rrn() } : {}, card: null }
  }

  /** Ends an order without asking the host. Nothing was sent. */
  async function settle(noted: Noted, answer: FinalAnswer, why: string): Promise<AcquirerAnswer> {
    log.warn({ ...logged(noted.note), why }, 'order not sent')
    return (await journal.change(noted, { phase: answer.answer, answer })) === null ? UNKNOWN : answer
  }

  /** Keeps an order for the next time that it is asked for. */
  function unsent({ note }: Noted, why: string): AcquirerAnswer {
    log.warn({ ...logged(note), why }, 'order not sent now')
    return UNKNOWN
  }

  async function send(
    noted: Noted,
    order: AcquirerOrder,
    kind: OrderKind,
    prepare: (order: AcquirerOrder) => Promise<Prepared>,
  ): Promise<AcquirerAnswer> {
    const document = dialect.messages[kind]
    if (document === undefined) return settle(noted, declined('card_not_supported', '40'), `the dialect has no ${kind}`)
    if (order.cashback !== undefined && dialect.document.cashback === undefined)
      return settle(noted, declined('card_not_supported', '40'), 'the dialect has no cashback')
    const prepared = await prepare(order)
    if ('answer' in prepared)
      return prepared.answer.answer === 'declined' ? settle(noted, prepared.answer, 'no such hold') : UNKNOWN
    try {
      const card = cardOf(order, dialect.format.fields.get(55)) ?? prepared.card
      if (card === null) return await settle(noted, declined('card_not_supported', '14'), 'the card is not known')
      const pin = await forwardedPin(parts, document, order, card)
      if ('answer' in pin) return await settle(noted, pin.answer, pin.why)
      if ('later' in pin) return unsent(noted, pin.later)
      const values = { ...(await valuesOf(order, card)), ...prepared.values, ...pin.values }
      const message = composeMessage(withCash(document, dialect, order), values)
      return await exchange(noted, kind, { message, itself: itselfOf(message), card })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log.error(
        { ...logged(noted.note), why: error.message },
        'message cannot be made; check the dialect and its settings',
      )
      return settle(noted, declined('do_not_honour', '30'), error.message)
    }
  }

  async function valuesOf(order: AcquirerOrder, card: OrderCard): Promise<Values> {
    const times = timesOf(standard, clock.now(), parts.timeZone)
    const values = { ...parts.settingsOf(order.account), ...orderValues(dialect, order), ...card, ...times }
    return { ...values, 11: await numbers.stan(identityOf(dialect, values)) }
  }

  /** As the host reads it, so that filled fields can be compared. */
  function itselfOf(message: Message): UnpackedMessage {
    return unpackMessage(dialect.format, packMessage(dialect.format, message))
  }

  async function exchange(noted: Noted, kind: OrderKind, { message, itself, card }: Made): Promise<AcquirerAnswer> {
    const { account, orderId } = noted.note
    const sealed = noted.note.card ?? (await vault.storeText(account, 'acquirer-card', sealedText(card), orderId))
    const slot = await connection.acquire(timers.connectMs, isAdvice(message.mti))
    if (slot === null) return UNKNOWN
    const number = `iso8583/${identityOf(dialect, message.fields)}/${message.fields[11]}`
    const fields = notedFields(dialect, message.fields)
    const sending: Partial<OrderNote> = {
      ...{ sent: { mti: message.mti, fields }, card: sealed, tries: 1 },
      phase: 'sent',
      dueAt: clock.now() + timers.answerMs + GRACE_MS,
    }
    let sent: Noted | null = null
    try {
      sent = await journal.change(noted, sending, number)
    } finally {
      if (sent === null) slot.release()
    }
    if (sent === null) return UNKNOWN
    const outcome = await slot.send(message, {
      limitMs: timers.answerMs,
      isInterim: answer => isInterim(dialect, answer),
      onLate: answer => {
        const name = nameOf(account, orderId)
        const arrival = { answer, duringReversal: due.isReversing(name) }
        const work = exclusive(name, () => late(sent.note, itself, arrival))
        void work.catch((error: Error) => log.error({ ...logged(sent.note), why: error.message }, 'late answer lost'))
      },
    })
    return afterwards(sent, kind, itself, outcome)
  }

  async function afterwards(sent: Noted, kind: OrderKind, itself: Message, outcome: Outcome): Promise<AcquirerAnswer> {
    switch (outcome.outcome) {
      case 'not_sent':
        await journal.change(sent, { phase: 'made', dueAt: null })
        return UNKNOWN
      case 'unanswered':
        return unanswered(sent, kind, outcome.why)
      case 'answered': {
        const read = readAnswer(dialect, kind, itself, outcome.answer)
        if (read.reading === 'final') return answered(sent, read.answer)
        log.error({ ...logged(sent.note), why: read.why }, 'doubtful answer of the host')
        return kind === 'verify' ? answered(sent, read.instead) : doubt(sent, read.instead)
      }
    }
  }

  async function answered(noted: Noted, answer: FinalAnswer): Promise<AcquirerAnswer> {
    const changed = await journal.change(noted, { phase: answer.answer, answer, dueAt: null })
    // Another process has begun to reverse it.
    return changed === null ? UNKNOWN : answer
  }

  async function unanswered(sent: Noted, kind: OrderKind, why: string): Promise<AcquirerAnswer> {
    log.warn({ ...logged(sent.note), why }, 'no answer of the host')
    if (kind === 'verify') await journal.change(sent, { phase: 'made', dueAt: null })
    else if (isAdvice(sent.note.sent?.mti ?? '')) {
      const changed = await journal.change(sent, { dueAt: clock.now() + (timers.repeatsMs[0] ?? 0) })
      if (changed !== null) due.schedule(changed.note)
    } else await doubt(sent, UNDONE)
    return UNKNOWN
  }

  /** Reverses it, and lets it count as declined once that is done. */
  async function doubt(noted: Noted, answer: FinalAnswer): Promise<AcquirerAnswer> {
    const changed = await journal.change(noted, { phase: 'unanswered', answer, tries: 0, dueAt: clock.now() })
    if (changed !== null) due.schedule(changed.note)
    return UNKNOWN
  }

  async function late(sent: OrderNote, itself: Message, { answer, duringReversal }: Arrival): Promise<void> {
    const noted = await journal.load(sent.account, sent.orderId)
    // An order that was sent again meanwhile has another number.
    if (noted === null || sent.kind === null || noted.note.sent?.fields[11] !== sent.sent?.fields[11]) return
    const read = readAnswer(dialect, sent.kind, itself, answer)
    const isApproved = read.reading === 'final' && read.answer.answer === 'approved'
    const { phase } = noted.note
    if ((phase === 'unanswered' && noted.note.tries === 0) || phase === 'sent') {
      if (read.reading === 'final') await answered(noted, read.answer)
    } else if (isApproved && (phase === 'reversing' || (duringReversal && noted.note.missing === 0))) {
      // The host has acknowledged the reversal after it approved.
      log.warn(logged(noted.note), 'approved late; its reversal goes on')
    } else if (phase === 'undone' && isApproved) {
      log.error(logged(noted.note), 'approved after it was reversed; it is reversed again')
      const again = { tries: 0, missing: 0, reversalStan: null, dueAt: clock.now() }
      const changes = { phase: 'unanswered', wasApproved: true, ...again } as const
      const changed = await journal.change(noted, changes)
      if (changed !== null) due.schedule(changed.note)
    }
  }

  async function capture(order: CaptureOrder): Promise<AcquirerAnswer> {
    const answer = await ask(order, 'capture', () => holds.claim(order))
    if (answer.answer === 'declined') await holds.release(order)
    return answer
  }

  async function reverse({
    account,
    orderId,
  }: Pick<OrderNote, 'account' | 'orderId'>): Promise<'reversed' | 'unknown'> {
    const noted = await journal.load(account, orderId)
    if (noted === null) {
      const added = await journal.add({ account, orderId, phase: 'undone', ...EMPTY_NOTE })
      return added === null ? 'unknown' : 'reversed'
    }
    const { phase, kind, dueAt } = noted.note
    const isDue = (dueAt ?? 0) <= clock.now()
    switch (phase) {
      case 'undone':
        return 'reversed'
      case 'made':
      case 'declined':
        return (await journal.change(noted, { phase: 'undone', dueAt: null })) === null ? 'unknown' : 'reversed'
      case 'approved':
        if (kind === 'verify')
          return (await journal.change(noted, { phase: 'undone', answer: UNDONE })) === null ? 'unknown' : 'reversed'
        return reverseNow(await journal.change(noted, { phase: 'unanswered', tries: 0, dueAt: clock.now() }))
      case 'sent':
        // Of another process, which still waits, or an advice that is not answered.
        if (!isDue && !isAdvice(noted.note.sent?.mti ?? '')) return 'unknown'
        return reverseNow(await journal.change(noted, { phase: 'unanswered', answer: UNDONE, tries: 0 }))
      case 'unanswered':
      case 'reversing':
        return isDue ? reverseNow(noted) : 'unknown'
      case 'stuck':
        return 'unknown'
    }
  }

  async function reverseNow(noted: Noted | null): Promise<'reversed' | 'unknown'> {
    const ended = noted === null ? null : await due.reverse(noted)
    return ended?.note.phase === 'undone' ? 'reversed' : 'unknown'
  }

  return {
    ...{ name: given.name, connection, awaitEnd },
    authorise: (order, purpose) => ask(order, purpose),
    capture,
    refund: order => ask(order, 'refund'),
    verify: order => ask(order, 'verify'),
    reverse: reversal => exclusive(nameOf(reversal.account, reversal.orderId), () => reverse(reversal)),
    async start() {
      void connection.start()
      await due.start()
      oldCards.start()
    },
    async close(limitMs) {
      oldCards.close()
      due.close()
      await connection.close(limitMs)
    },
  }
}

function newNote(order: AcquirerOrder, kind: OrderKind): OrderNote {
  const { account, orderId, amount, cardToken } = order
  return { ...EMPTY_NOTE, ...{ account, orderId, phase: 'made', kind }, ...amountOf(amount), cardToken }
}

function amountOf({ minor, currency }: AcquirerOrder['amount']) {
  return { amountMinor: minor, currency }
}

/** The answer that an order has for ever; null while it is open. */
function knownAnswer({ phase, answer }: OrderNote): AcquirerAnswer | null {
  if (phase === 'approved' || phase === 'declined') return answer
  if (phase === 'undone') return answer?.answer === 'declined' ? answer : UNDONE
  return phase === 'stuck' ? UNKNOWN : null
}

/** The same id is the same order. Another amount, card or kind under it is a bug of the caller, and must not reach the host. */
function refuseOther(note: OrderNote, order: AcquirerOrder, kind: OrderKind): void {
  const { minor, currency } = order.amount
  const same =
    note.kind === null ||
    (note.kind === kind &&
      note.amountMinor === minor &&
      note.currency === currency &&
      note.cardToken === order.cardToken)
  if (!same) throw new Error(`order ${order.orderId} is another than the one with this id before`)
}
