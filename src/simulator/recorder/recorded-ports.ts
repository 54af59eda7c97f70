// src/simulator/recorder/recorded-ports.ts — wraps terminal driver and acquirer to record their calls.
import { STRUCK_OUT } from '../../domain/redaction.ts'
import type { Acquirer, AcquirerOrder, CaptureOrder, OnlineCard } from '../../engine/ports/acquirer.ts'
import type { TerminalCall, TerminalDelivery, TerminalDriver, TerminalSink } from '../../engine/ports/terminal.ts'
import type { RecordedMessage, Recorder } from '../controls.ts'

/** Wraps a driver to record its calls and deliveries. */
export function recordedDriver(driver: TerminalDriver, recorder: Recorder): TerminalDriver {
  const call = (what: string, given: TerminalCall, more: object, perform: () => Promise<void>) => {
    const { terminal, transaction, effectId } = given
    const data = { tid: terminal.tid, effectId, ...more }
    const message = { from: 'gateway', to: 'terminal', what, data } as const
    return recordCall(recorder, terminal.merchantAccount, transaction.requestId, message, perform)
  }
  return {
    ...driver,
    presence: terminal => driver.presence(terminal),
    start: given => call('start', given, { request: given.transaction.request }, () => driver.start(given)),
    cancel: given => call('cancel', given, {}, () => driver.cancel(given)),
    answerSignature: (given, answer) =>
      call('answer_signature', given, answer, () => driver.answerSignature(given, answer)),
    answerAuthorisation: (given, answer) => {
      const { authCode, declineReason } = given.transaction
      const message = { authorisation: answer.answer, authCode, declineReason }
      return call('answer_authorisation', given, message, () => driver.answerAuthorisation(given, answer))
    },
    lastTransaction: (terminal, requestId) => {
      const message = {
        from: 'gateway',
        to: 'terminal',
        what: 'last_transaction',
        data: { tid: terminal.tid },
      } as const
      return recordCall(recorder, terminal.merchantAccount, requestId, message, () =>
        driver.lastTransaction(terminal, requestId),
      )
    },
    listen: (sink, serves) => driver.listen(recordedSink(sink, recorder), serves),
  }
}

function recordedSink(sink: TerminalSink, recorder: Recorder): TerminalSink {
  return {
    ...sink,
    report: (delivery: TerminalDelivery) => {
      const { account, requestId, sequence, reports } = delivery
      // Recorded before it is processed, so that its effects come after it.
      recorder.note(account, requestId, {
        ...{ from: 'terminal', to: 'gateway', what: 'report' },
        data: { sequence, reports },
      })
      return sink.report(delivery)
    },
    async atTable(account, by, request) {
      const message = { from: 'terminal', to: 'gateway', what: request.ask, data: { ...by, ...request } } as const
      // A waiting terminal polls every second; only the answer that ends the wait is recorded.
      const answered =
        'tableId' in request && request.ask !== 'look' ? recorder.note(account, request.tableId, message) : null
      const reply = await sink.atTable(account, by, request)
      if (answered !== null) answered(reply)
      else if (reply.reply === 'held') recorder.note(account, reply.held.tableId, message)(reply)
      else if (request.ask === 'look' && reply.reply === 'settled')
        recorder.note(account, request.tableId, message)(reply)
      return reply
    },
  }
}

/** Wraps an acquirer to record its calls. */
export function recordedAcquirer(acquirer: Acquirer, recorder: Recorder): Acquirer {
  function recorded<Answer>(
    what: string,
    order: AcquirerOrder | CaptureOrder | Reversal,
    perform: () => Promise<Answer>,
  ): Promise<Answer> {
    const data = 'amount' in order ? recordedOrder(order) : order
    const message = { from: 'gateway', to: 'acquirer', what, data } as const
    return recordCall(recorder, order.account, requestIdIn(order.orderId), message, perform)
  }
  return {
    ...acquirer,
    authorise: (order, purpose) => recorded(purpose, order, () => acquirer.authorise(order, purpose)),
    capture: order => recorded('capture', order, () => acquirer.capture(order)),
    refund: order => recorded('refund', order, () => acquirer.refund(order)),
    verify: order => recorded('verify', order, () => acquirer.verify(order)),
    reverse: order => recorded('reverse', order, () => acquirer.reverse(order)),
  }
}

type Reversal = { readonly orderId: string; readonly account: string }

/** An order with its amounts in the form of the API: minor units and currency. */
function recordedOrder(given: AcquirerOrder | CaptureOrder) {
  const { orderId, account, amount, cardToken, online, exemption } = given
  const order = {
    ...{ orderId, account, amountMinor: amount.minor, currency: amount.currency, cardToken },
    ...(online === undefined ? {} : { online: withoutValue(online) }),
    ...(exemption === undefined ? {} : { exemption }),
  }
  if (!('preAuthorisedTotal' in given)) return order
  const { authCode, preAuthorisedTotal, holdOrderId } = given
  return {
    ...order,
    authCode,
    ...(holdOrderId === undefined ? {} : { holdOrderId }),
    preAuthorisedTotalMinor: preAuthorisedTotal?.minor ?? null,
  }
}

/** The values of authentications and wallets are in the vault only. */
function withoutValue({ proof, walletProof, ...online }: OnlineCard) {
  const hidden = <Proof extends object>(proven: Proof | null) => proven && { ...proven, value: STRUCK_OUT }
  return { ...online, proof: hidden(proof), walletProof: hidden(walletProof) }
}

/** Order ids are effect ids, which begin with the request id. */
function requestIdIn(orderId: string): string {
  return orderId.split('.', 1)[0] ?? orderId
}

/** Records a call and its answer. */
function recordCall<Answer>(
  recorder: Recorder,
  account: string,
  requestId: string,
  message: RecordedMessage,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const answered = recorder.note(account, requestId, message)
  const answering = perform()
  answering.then(
    answer => answered(answer ?? 'taken'),
    (error: unknown) => answered({ failed: error instanceof Error ? error.message : 'yes' }),
  )
  return answering
}
