// src/terminals/nexo/payments.ts — follows each payment that was sent until its outcome is known and delivered.
import type { EffectId, MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Deliveries } from './deliveries.ts'
import type { Asked, Exchange, Journal, Noted } from './journal.ts'
import { type Line, LineError } from './line.ts'
import type { Link } from './link.ts'
import type { Links } from './links.ts'
import { type Action, type Input, type Inquiry, inquiryAfterRestart, inquiryFor, step } from './recovery.ts'
import { type Answer, statusOf } from './wire/answers.ts'
import { holdsSensitiveData } from './wire/card-details.ts'
import { type Members, memberAt } from './wire/lenient.ts'
import { abortBody, statusBody } from './wire/messages.ts'
import { endWithoutPayment, type PaymentEnd, paymentEndOf } from './wire/payments.ts'
import { verdictOf } from './wire/results.ts'

/** A payment whose answer is open. */
export interface OpenPayment {
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  /** Whether the connection on which it was sent still waits. */
  readonly lineIsOpen: boolean
  /** Asks the terminal now. Resolves to whether it has said anything about the payment. */
  question(): Promise<boolean>
  /** Asks the terminal to stop it. Whether it does, only the payment's own answer tells. @throws LineError */
  abort(effectId: EffectId): Promise<void>
}

export interface Payments {
  /** Follows a payment that is being sent on this line. */
  sending(noted: Noted<Exchange>, asked: Asked, line: Line, body: Members, link: Link): void
  /** Follows a payment that an earlier process has sent. Resolves after the first question. */
  resume(noted: Noted<Exchange>): Promise<void>
  find(account: MerchantAccountId, requestId: RequestId): OpenPayment | null
  openOn(account: MerchantAccountId, tid: TerminalId): readonly OpenPayment[]
  close(): void
}

export interface PaymentsParts {
  readonly exchanges: Journal<Exchange>
  readonly deliveries: Pick<Deliveries, 'end'>
  readonly links: Pick<Links, 'byId'>
  readonly clock: Clock
  readonly log: Log
}

/** After a write that failed. */
const WRITE_AGAIN_MS = 1_000

interface Owner {
  readonly isClosed: () => boolean
  readonly onOver: () => void
}

interface Followed extends OpenPayment {
  begin(sent: { readonly line: Line; readonly link: Link; readonly body: Members } | null): Promise<void>
  stop(): void
}

/** Creates the follower of payments. */
export function createPayments(parts: PaymentsParts): Payments {
  let isClosed = false
  const open = new Map<string, Followed>()
  const keyOf = (account: string, requestId: string) => `${account}/${requestId}`
  function follow(noted: Noted<Exchange>, asked: Asked, inquiry: Inquiry): Followed {
    const key = keyOf(noted.note.account, noted.note.requestId)
    const followed = followPayment(
      { ...parts, isClosed: () => isClosed, onOver: () => open.delete(key) },
      noted,
      asked,
      inquiry,
    )
    open.set(key, followed)
    return followed
  }
  return {
    sending(noted, asked, line, body, link) {
      const sentAt = noted.note.sentAt ?? parts.clock.now()
      const inquiry = inquiryFor(asked.names.serviceId, sentAt, link.settings.transport)
      void follow(noted, asked, inquiry).begin({ line, link, body })
    },
    async resume(noted) {
      const { account, requestId, asked, sentAt, sentOver } = noted.note
      if (asked === null || open.has(keyOf(account, requestId))) return
      const now = parts.clock.now()
      const inquiry = inquiryAfterRestart(asked.names.serviceId, sentAt ?? now, sentOver ?? 'local', now)
      await follow(noted, asked, inquiry).begin(null)
    },
    find: (account, requestId) => open.get(keyOf(account, requestId)) ?? null,
    openOn: (account, tid) => [...open.values()].filter(each => each.account === account && each.tid === tid),
    close() {
      isClosed = true
      for (const followed of open.values()) followed.stop()
      open.clear()
    },
  }
}

function followPayment(
  { exchanges, deliveries, links, clock, log, isClosed, onOver }: PaymentsParts & Owner,
  noted: Noted<Exchange>,
  asked: Asked,
  begun: Inquiry,
): Followed {
  const { account, tid, requestId } = noted.note
  const { names } = asked
  const facts = { request: asked.request, number: asked.number }
  const aborted = new Set<EffectId>()
  let inquiry = begun
  let line: Line | null = null
  let alarm: Alarm | null = null
  let asking: Promise<boolean> | null = null
  let isOver = false

  /** Decides at once, so that two answers cannot both end it. */
  async function take(input: Input, response: Members = {}): Promise<void> {
    if (isOver) return
    const taken = step(inquiry, input, clock.now())
    inquiry = taken.inquiry
    await perform(taken.action, response)
  }

  async function perform(action: Action, response: Members): Promise<void> {
    switch (action.do) {
      case 'end':
        return conclude(paymentEndOf(response, action.verdict, facts))
      case 'deny': {
        log.warn({ requestId, tid, because: action.because }, 'terminal has not taken the payment')
        const none = endWithoutPayment(facts, 'UNSUCCESSFUL', action.because === 'not_found' ? ['forgotten'] : [])
        return conclude({ ...none, shown: 'PROCESSING_ERROR' })
      }
      case 'ask':
        await question()
        return
      case 'wait':
        return wait(action.until)
      case 'hang_up':
        line?.close()
        return wait(action.until)
      case 'abort':
        wait(action.until)
        await sendAbort().catch(ignoreLineError)
        return
      case 'give_up':
        stop()
        log.error({ requestId, tid }, 'outcome of a payment cannot be found out: look it up at the provider')
        await written(() => exchanges.change(noted, { phase: 'lost' }))
    }
  }

  function wait(until: number): void {
    alarm?.cancel()
    alarm = clock.alarm(until, () => void take({ type: 'time_came' }))
  }

  function stop(): void {
    isOver = true
    alarm?.cancel()
    line?.close()
    onOver()
  }

  /** The outcome is known: write it, then deliver it. */
  async function conclude(end: PaymentEnd): Promise<void> {
    stop()
    for (const remark of end.remarks) log.error({ requestId, tid, remark }, 'look at this payment')
    log.info({ requestId, tid, result: end.ending.result }, 'payment at terminal has ended')
    const changes = { phase: 'ended', end, endedAt: clock.now() } as const
    const ended = await written(() => exchanges.change(noted, changes))
    // Another process was faster: it delivers.
    if (ended !== null) await deliveries.end(ended)
  }

  /** Repeats a write until the store has taken it: the outcome of a payment must not be lost. */
  async function written<Result>(write: () => Promise<Result>): Promise<Result | null> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.error({ requestId, tid, error: String(error) }, 'outcome of a payment was not written yet')
        // The next process asks the terminal again.
        if (isClosed()) return null
        await new Promise<void>(resolve => clock.alarm(clock.now() + WRITE_AGAIN_MS, resolve))
      }
    }
  }

  function question(): Promise<boolean> {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  async function ask(): Promise<boolean> {
    const answer = await links
      .byId(account, tid)
      .then(link => link.ask('TransactionStatus', link.newNames(), statusBody(names)))
      .catch((error: unknown): Answer => ({ answer: 'none', because: String(error) }))
    const status = statusOf(answer, names.serviceId)
    if (status.status === 'answered') await responded(status.payment, true)
    else await take({ type: 'status', status })
    return status.status !== 'no_statement' && status.status !== 'undelivered'
  }

  async function responded(response: Members, repeated: boolean): Promise<void> {
    if (holdsSensitiveData(response)) log.error({ requestId, tid }, 'terminal has sent card data that nobody may send')
    await take({ type: 'responded', verdict: verdictOf(memberAt(response, 'Response')), repeated }, response)
  }

  async function sendAbort(): Promise<void> {
    const link = await links.byId(account, tid)
    const answer = await link.ask('Abort', link.newNames(), abortBody(names))
    if (answer.answer === 'undelivered') throw new LineError('lost', 'The abort did not get to the terminal.')
    if (answer.answer === 'none') throw new LineError('lost', `The abort was not answered: ${answer.because}.`)
  }

  return {
    ...{ account, tid, question, stop },
    get lineIsOpen() {
      return inquiry.line === 'open'
    },
    async begin(sent) {
      if (sent === null) return take({ type: 'time_came' })
      line = sent.line
      const answering = sent.link.send(sent.line, 'Payment', names, sent.body)
      await take({ type: 'sent' })
      const answer = await answering
      if (answer.answer === 'response') return responded(answer.response, false)
      if (answer.answer === 'refused') return take({ type: 'refused' })
      if (answer.answer === 'undelivered') return take({ type: 'undelivered' })
      if (answer.answer === 'accepted' && sent.link.settings.isAsynchronous) return take({ type: 'handed_over' })
      log.warn({ requestId, tid, why: answer.answer === 'none' ? answer.because : '' }, 'answer to a payment is lost')
      await take({ type: 'line_lost' })
    },
    async abort(effectId) {
      if (isOver || aborted.has(effectId)) return
      await sendAbort()
      aborted.add(effectId)
      await take({ type: 'cancel_wanted' })
    },
  }
}

function ignoreLineError(error: unknown): void {
  if (!(error instanceof LineError)) throw error
}
