// src/peers/nexo-terminal/terminal.ts — the terminal: one payment at a time, and it remembers how each one ended.

import type { Time } from '../time.ts'
import { type Behaviour, type Behaviours, type Concern, ORDINARY_BEHAVIOUR } from './behaviour.ts'
import { createLedger, type Ledger, stateOf, transactionTotals } from './ledger.ts'
import { at, failure, type Header, type Members, type Request, textAt } from './messages.ts'
import { ABORTED, NO_CARD, type Outcome } from './outcomes.ts'
import { type PaymentRequest, paymentRequestIn } from './payment-request.ts'
import { paymentOf } from './payment-response.ts'

export interface TerminalParts {
  readonly behaviours: Behaviours
  readonly time: Time
  /** Gets a line for each request and each answer. */
  readonly onLine: (line: string) => void
}

export type Reply =
  | { readonly reply: 'message'; readonly body: Members; readonly behaviour: Behaviour }
  /** Accepted without a word. */
  | { readonly reply: 'empty' }
  /** The connection is closed. */
  | { readonly reply: 'drop' }

/** What the terminal was asked. */
export interface Received {
  readonly category: string
  readonly serviceId: string
  /** ServiceID that an abort or a question is about. */
  readonly about: string
  readonly body: Members
}

export interface Terminal {
  readonly received: readonly Received[]
  readonly ledger: Ledger
  /** Requests whose tills wait for an answer, because nobody has presented a card yet. */
  readonly held: number
  /** What shall be done with a request. To be asked once for each. */
  behaviourFor(request: Request): Behaviour
  /** The cloud is asked for its list of connected terminals. */
  listing(): Behaviour
  /** Acts on a request. Resolves when there is something to answer. */
  take(request: Request, behaviour: Behaviour): Promise<Reply>
  /** The till has closed the connection of a request. The terminal goes on with it. */
  hungUp(serviceId: string): void
  /** A card is presented, or the customer leaves. False when no payment waits. */
  finish(outcome: Outcome): boolean
  /** Members of its `POIStatus` from now on. */
  setHealth(status: Members): void
  /** Loses power: what runs is lost, what has ended is remembered. */
  restart(): void
}

/** How long it waits for a card. */
const PROMPT_MS = 120_000
const HEALTHY: Members = { GlobalStatus: 'OK', PrinterStatus: 'OK' }
const SUCCESS: Members = { Result: 'Success' }
const DROP: Reply = { reply: 'drop' }
/** As a terminal names a request of another till. */
const ANOTHER = 'serviceId=FOREIGN'

const CONCERN_OF: Readonly<Record<string, Concern>> = {
  Payment: 'payment',
  TransactionStatus: 'question',
  Abort: 'abort',
  Reconciliation: 'reconciliation',
}

interface Running {
  readonly header: Header
  /** Whether the connection of its till is closed. */
  isLeft: boolean
  /** @param outcome null: the power went */
  end(outcome: Outcome | null): void
}

/** Creates the terminal. */
export function createTerminal({ behaviours, time, onLine }: TerminalParts): Terminal {
  const ledger = createLedger()
  const memory = new Map<string, { readonly header: Header; readonly response: Members }>()
  const received: Received[] = []
  let running: Running | null = null
  let isLoggedIn = false
  let health = HEALTHY

  async function pay({ header, body }: Request, behaviour: Behaviour): Promise<Reply> {
    if (behaviour.faults.has('connection_dropped')) return DROP
    if (isTaken(header)) return message(failure('Busy', `serviceId=${running?.header.ServiceID ?? header.ServiceID}`))
    if (behaviour.faults.has('busy')) return message(failure('Busy', ANOTHER))
    const asked = paymentRequestIn(body)
    if ('missing' in asked) return message(failure('MessageFormat', `errors=At%20${asked.missing}%3A%20Missing`))
    const outcome = behaviour.outcome === 'wait' ? await customer(header) : behaviour.outcome
    if (outcome === null) return DROP
    const response = charge(header, asked, outcome, behaviour)
    const slowMs = behaviour.faults.get('slow_answer') ?? 0
    if (slowMs > 0) await new Promise<void>(resolve => time.alarm(time.now() + slowMs, resolve))
    return { reply: 'message', body: response, behaviour }
  }

  /** A terminal that serves a customer is busy, unless it is worse. */
  function healthNow(): Members {
    return running !== null && health['GlobalStatus'] === 'OK' ? { ...health, GlobalStatus: 'Busy' } : health
  }

  /** Whether a payment runs, or the request is a repetition. */
  function isTaken({ ServiceID }: Header): boolean {
    return running !== null || memory.has(ServiceID)
  }

  /** Waits for a card. Null when the power went. */
  function customer(header: Header): Promise<Outcome | null> {
    return new Promise(resolve => {
      const own: Running = {
        ...{ header, isLeft: false },
        end(outcome) {
          prompt.cancel()
          running = null
          resolve(outcome)
        },
      }
      running = own
      const prompt = time.alarm(time.now() + PROMPT_MS, () => own.end(NO_CARD))
    })
  }

  function charge(header: Header, asked: PaymentRequest, outcome: Outcome, behaviour: Behaviour): Members {
    const made = { number: ledger.entries().length + 1, at: time.now(), period: ledger.period() }
    const { response, ...moved } = paymentOf(asked, outcome, behaviour, made)
    const { kind, amountMinor, currency, saleTransaction } = asked
    ledger.add({
      ...{ kind, state: stateOf(asked, outcome), serviceId: header.ServiceID, saleId: header.SaleID },
      ...{ saleTransactionId: textAt(saleTransaction, 'TransactionID'), ...moved },
      ...{ card: '411111******1111', amountMinor, currency, period: made.period, at: made.at },
    })
    memory.set(header.ServiceID, { header: { ...header }, response })
    return response
  }

  function status({ body }: Request, { faults }: Behaviour): Reply {
    if (faults.has('connection_dropped')) return DROP
    if (faults.has('in_progress')) return message(failure('InProgress', 'message=Uncompleted%20transaction'))
    if (faults.has('not_found')) return message(failure('NotFound'))
    if (faults.has('busy')) return message(failure('Busy', ANOTHER))
    const about = aboutOf(body)
    if (running !== null && (about === '' || about === running.header.ServiceID))
      return message(failure('InProgress', 'message=Uncompleted%20transaction'))
    const found = about === '' ? [...memory.values()].at(-1) : memory.get(about)
    if (found === undefined) return message(failure('NotFound'))
    return message(SUCCESS, {
      RepeatedMessageResponse: {
        MessageHeader: { ...found.header, MessageType: 'Response' },
        RepeatedResponseMessageBody: { PaymentResponse: found.response },
      },
    })
  }

  /** Such requests do not use up a scenario: a repeated payment, and a reconciliation that ends no period. */
  function isMisplaced(concern: Concern, header: Header, body: Members): boolean {
    if (concern === 'payment') return isTaken(header)
    return concern === 'reconciliation' && (!isLoggedIn || isPrevious(body))
  }

  function reconcile({ body }: Request, { faults }: Behaviour): Reply {
    if (faults.has('connection_dropped')) return DROP
    const period = isPrevious(body) ? Number(body['POIReconciliationID']) : ledger.period()
    if (!isPrevious(body)) ledger.closePeriod()
    return faults.has('answer_lost') ? DROP : message(SUCCESS, totalsOf(period))
  }

  function totalsOf(period: number, saleId: string | null = null): Members {
    return { POIReconciliationID: String(period), TransactionTotals: transactionTotals(ledger.totals(period, saleId)) }
  }

  function answer(request: Request, behaviour: Behaviour): Reply | Promise<Reply> {
    const { header, body } = request
    switch (header.MessageCategory) {
      case 'Payment':
        return pay(request, behaviour)
      case 'TransactionStatus':
        return status(request, behaviour)
      case 'Abort':
        if (!behaviour.faults.has('ignored') && running?.header.ServiceID === aboutOf(body)) running.end(ABORTED)
        return { reply: 'empty' }
      case 'Diagnosis':
        return message(SUCCESS, { POIStatus: healthNow() })
      case 'Login':
        isLoggedIn = true
        return message(SUCCESS, { POISystemData: { POISoftware: { ApplicationName: 'Scripted' } } })
      case 'GetTotals':
        if (!isLoggedIn) return message(failure('LoggedOut'))
        return message(SUCCESS, totalsOf(ledger.period(), textAt(body, 'TotalFilter', 'SaleID') || null))
      case 'Reconciliation':
        return isLoggedIn ? reconcile(request, behaviour) : message(failure('LoggedOut'))
      default:
        return message(failure('UnavailableService'))
    }
  }

  return {
    ...{ received, ledger },
    get held() {
      return running === null || running.isLeft ? 0 : 1
    },
    behaviourFor({ header, body }) {
      const concern = CONCERN_OF[header.MessageCategory]
      if (concern === undefined || isMisplaced(concern, header, body)) return ORDINARY_BEHAVIOUR
      const asked = concern === 'payment' ? paymentRequestIn(body) : null
      const amountMinor = asked === null || 'missing' in asked ? null : asked.amountMinor
      return behaviours.take({ concern, ending: null, amountMinor })
    },
    listing() {
      received.push({ category: 'connectedDevices', serviceId: '', about: '', body: {} })
      return behaviours.take({ concern: 'list', ending: null, amountMinor: null })
    },
    async take(request, behaviour) {
      const { header, body } = request
      const { MessageCategory: category, ServiceID: serviceId } = header
      received.push({ category, serviceId, about: aboutOf(body), body })
      onLine(`<- ${category} ${serviceId} till=${header.SaleID}${detailOf(request)}`)
      const reply = await answer(request, behaviour)
      onLine(`-> ${category} ${serviceId} ${wordFor(reply)}`)
      return reply
    },
    hungUp(serviceId) {
      if (running?.header.ServiceID === serviceId) running.isLeft = true
    },
    finish(outcome) {
      const waiting = running
      waiting?.end(outcome)
      return waiting !== null
    },
    setHealth(status) {
      health = status
    },
    restart() {
      running?.end(null)
    },
  }
}

function message(Response: Members, members: Members = {}): Reply {
  return { reply: 'message', body: { Response, ...members }, behaviour: ORDINARY_BEHAVIOUR }
}

/** Whether a reconciliation asks for the totals of a period that has ended. */
function isPrevious(body: Members): boolean {
  return body['ReconciliationType'] === 'PreviousReconciliation'
}

/** ServiceID of the request that an abort or a question is about. */
function aboutOf(body: Members): string {
  const about = at(body, 'MessageReference', 'ServiceID')
  return typeof about === 'string' ? about : ''
}

function detailOf({ header, body }: Request): string {
  const asked = header.MessageCategory === 'Payment' ? paymentRequestIn(body) : null
  if (asked !== null && !('missing' in asked))
    return ` ${asked.kind} amount=${asked.amountMinor} currency=${asked.currency}`
  const about = aboutOf(body)
  return about === '' ? '' : ` about=${about}`
}

function wordFor(reply: Reply): string {
  if (reply.reply !== 'message') return reply.reply === 'drop' ? 'no answer' : 'accepted'
  const response = at(reply.body, 'Response')
  return [textAt(response, 'Result'), textAt(response, 'ErrorCondition')].filter(Boolean).join(' ')
}
