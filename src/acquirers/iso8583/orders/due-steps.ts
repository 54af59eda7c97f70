// src/acquirers/iso8583/orders/due-steps.ts — reverses orders until the host has acknowledged it, and repeats advices.
import type { EffectId, MerchantAccountId } from '../../../domain/ids.ts'
import type { Alarm } from '../../../engine/ports/clock.ts'
import { composeMessage, type Values } from '../compose.ts'
import type { Outcome } from '../connection/exchanges.ts'
import { type Message, packMessage, unpackMessage } from '../message-codec.ts'
import { Refused } from '../refused.ts'
import { timesOf } from '../times.ts'
import type { Exclusive } from './exclusive.ts'
import { type Noted, type OrderNote, UNDONE } from './journal.ts'
import { GRACE_MS, identityOf, isAdvice, logged, type OrderParts } from './order-parts.ts'
import { likeOriginal } from './order-values.ts'
import { codeOf, readAnswer, readReversal } from './reading-answers.ts'
import { repeatedValues } from './repeated-values.ts'

/** How often the store is looked through for steps of other processes, in milliseconds. */
const SWEEP_MS = 60_000
/** When a step is tried again for which there was no connection, in milliseconds. */
const NO_LINK_MS = 5_000
/** Repetitions without an answer after which the log has an error. */
const ALARMING_TRIES = 6

export interface DueSteps {
  /** Takes up what earlier processes have left, and what becomes due. */
  start(): Promise<void>
  /** Does the next step of an order when it is due. */
  schedule(note: OrderNote): void
  /** Reverses an order now, as far as it can be. To be called with the order to oneself. Null when it was changed meanwhile. */
  reverse(noted: Noted): Promise<Noted | null>
  /** Whether a reversal of the order waits for its answer in this process. */
  isReversing(name: string): boolean
  close(): void
}

export function createDueSteps(parts: OrderParts & { readonly exclusive: Exclusive }): DueSteps {
  const { dialect, connection, journal, numbers, clock, log, exclusive } = parts
  const { timers, standard } = dialect.document
  const alarms = new Map<string, Alarm>()
  const underWay = new Set<string>()
  let sweep: Alarm | null = null
  let isClosed = false

  function schedule({ account, orderId, dueAt }: OrderNote, notBefore = 0): void {
    const name = nameOf(account, orderId)
    alarms.get(name)?.cancel()
    alarms.delete(name)
    if (dueAt === null || isClosed) return
    const at = Math.max(dueAt, notBefore, clock.now())
    alarms.set(
      name,
      clock.alarm(at, () => {
        alarms.delete(name)
        void exclusive(name, () => step(account, orderId)).catch((error: Error) => {
          log.error({ account, orderId, why: error.message }, 'step of an order failed; it is tried again')
        })
      }),
    )
  }

  async function step(account: MerchantAccountId, orderId: EffectId): Promise<void> {
    const noted = isClosed ? null : await journal.load(account, orderId)
    if (noted === null || noted.note.dueAt === null) return
    if (noted.note.dueAt > clock.now()) return schedule(noted.note)
    const { phase, sent } = noted.note
    if (phase === 'sent' && sent !== null && isAdvice(sent.mti)) return repeatAdvice(noted)
    // Its process has ended, or waits longer than it said.
    const orphaned = { phase: 'unanswered', answer: UNDONE, tries: 0 } as const
    const left = phase === 'sent' ? await journal.change(noted, orphaned) : noted
    if (left !== null) await reverse(left)
  }

  /** The values that are sent again, with the time of now. */
  async function valuesAgain(note: OrderNote): Promise<Values> {
    const { 7: transmission } = timesOf(standard, clock.now(), parts.timeZone)
    return { ...(await repeatedValues(parts, note)), 7: transmission }
  }

  async function reversal(note: OrderNote): Promise<{ readonly message: Message; readonly stan: string }> {
    const document = dialect.messages.reverse
    if (document === undefined) throw new Error('a dialect has a reversal')
    const values = await valuesAgain(note)
    const original = note.sent?.fields[11] ?? ''
    const stan =
      note.reversalStan ?? (document.stan === 'same' ? original : await numbers.stan(identityOf(dialect, values)))
    const mti = note.tries > 0 ? (document.repeat ?? document.mti) : document.mti
    return { message: composeMessage(likeOriginal(document, note), { ...values, 11: stan }, mti), stan }
  }

  async function reverse(noted: Noted): Promise<Noted | null> {
    const { note } = noted
    const made = await reversal(note).catch((error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    })
    if (made instanceof Refused) return stuck(noted, made.message)
    const slot = await connection.acquire(timers.connectMs, true)
    if (slot === null) {
      schedule(note, clock.now() + NO_LINK_MS)
      return noted
    }
    const sending: Partial<OrderNote> = {
      phase: 'reversing',
      ...{ reversalStan: made.stan, tries: note.tries + 1 },
      dueAt: clock.now() + timers.reversalMs + GRACE_MS,
    }
    let sent: Noted | null = null
    try {
      sent = await journal.change(noted, sending)
    } finally {
      if (sent === null) slot.release()
    }
    if (sent === null) return null
    const name = nameOf(note.account, note.orderId)
    underWay.add(name)
    const answering = slot.send(made.message, { limitMs: timers.reversalMs })
    const outcome = await answering.finally(() => underWay.delete(name))
    return afterReversal(sent, note, outcome)
  }

  async function afterReversal(sent: Noted, before: OrderNote, outcome: Outcome): Promise<Noted | null> {
    const { note } = sent
    if (outcome.outcome === 'not_sent') {
      const { phase, tries } = before
      return later(sent, { phase, tries, dueAt: clock.now() + NO_LINK_MS })
    }
    if (outcome.outcome === 'unanswered') return later(sent, { dueAt: clock.now() + pauseOf(note, outcome.why) })
    const reading = readReversal(dialect, outcome.answer)
    switch (reading) {
      case 'done':
        return undone(sent)
      case 'notFound':
        // It has approved it, so money may have moved: it is not known that none has.
        if (note.answer?.answer === 'approved') return stuck(sent, 'it does not know an order that it has approved')
        // It may still be on its way to the host: two answers, with the host's own time limit between them.
        if (note.missing > 0) return undone(sent)
        return later(sent, { missing: 1, dueAt: clock.now() + timers.settleMs })
      case 'refused':
        return stuck(sent, `code ${codeOf(outcome.answer)}`)
      case 'retry':
        return later(sent, { dueAt: clock.now() + pauseOf(note, `code ${codeOf(outcome.answer)}`) })
    }
  }

  async function later(noted: Noted, changes: Partial<OrderNote>): Promise<Noted | null> {
    const changed = await journal.change(noted, changes)
    if (changed !== null) schedule(changed.note)
    return changed
  }

  async function undone(noted: Noted): Promise<Noted | null> {
    const { answer, wasApproved: before } = noted.note
    const counts = answer?.answer === 'declined' ? answer : UNDONE
    log.info(logged(noted.note), 'order reversed')
    const wasApproved = before || answer?.answer === 'approved'
    return journal.change(noted, { phase: 'undone', answer: counts, wasApproved, dueAt: null })
  }

  async function stuck(noted: Noted, why: string): Promise<Noted | null> {
    log.error({ ...logged(noted.note), why }, 'order cannot be reversed; ask the acquirer and close it by hand')
    return journal.change(noted, { phase: 'stuck', dueAt: null })
  }

  function pauseOf(note: OrderNote, why: string): number {
    const fields = { ...logged(note), why, tries: note.tries }
    if (note.tries === ALARMING_TRIES) log.error(fields, 'host does not answer; it is asked again')
    const { repeatsMs } = timers
    return repeatsMs[Math.min(note.tries, repeatsMs.length) - 1] ?? 0
  }

  async function repeatAdvice(noted: Noted): Promise<void> {
    const { note } = noted
    const { kind, sent } = note
    const document = kind === null ? undefined : dialect.messages[kind]
    if (kind === null || sent === null || document === undefined) throw new Error(`order ${note.orderId} is no advice`)
    const values = { ...(await valuesAgain(note)), 11: sent.fields[11] ?? '' }
    const message = composeMessage(document, values, document.repeat ?? document.mti)
    const slot = await connection.acquire(timers.connectMs, true)
    if (slot === null) return schedule(note, clock.now() + NO_LINK_MS)
    let again: Noted | null = null
    try {
      const dueAt = clock.now() + timers.answerMs + GRACE_MS
      again = await journal.change(noted, { tries: note.tries + 1, dueAt })
    } finally {
      if (again === null) slot.release()
    }
    if (again === null) return
    const outcome = await slot.send(message, { limitMs: timers.answerMs })
    if (outcome.outcome !== 'answered') {
      await later(again, { dueAt: clock.now() + pauseOf(again.note, outcome.why) })
      return
    }
    const itself = unpackMessage(dialect.format, packMessage(dialect.format, message))
    const read = readAnswer(dialect, kind, itself, outcome.answer)
    if (read.reading === 'doubtful') {
      log.error({ ...logged(again.note), why: read.why }, 'doubtful answer of the host')
      await later(again, { phase: 'unanswered', answer: read.instead, tries: 0, dueAt: clock.now() })
      return
    }
    await journal.change(again, { phase: read.answer.answer, answer: read.answer, dueAt: null })
  }

  async function lookThrough(): Promise<void> {
    for (const { note } of await journal.open()) if (!alarms.has(nameOf(note.account, note.orderId))) schedule(note)
  }

  function sweepLater(): void {
    if (isClosed) return
    sweep = clock.alarm(clock.now() + SWEEP_MS, () => {
      void lookThrough()
        .catch((error: Error) => log.error({ why: error.message }, 'open orders cannot be read'))
        .finally(sweepLater)
    })
  }

  return {
    async start() {
      await lookThrough()
      sweepLater()
    },
    schedule,
    reverse,
    isReversing: name => underWay.has(name),
    close() {
      isClosed = true
      sweep?.cancel()
      for (const alarm of alarms.values()) alarm.cancel()
    },
  }
}

/** The name under which work on an order waits. */
export function nameOf(account: MerchantAccountId, orderId: EffectId): string {
  return JSON.stringify([account, orderId])
}
