// src/engine/traced-ports.ts — wraps ports so that their calls have spans. Used only when tracing is on. ADR 68.
import { REPORT, TERMINAL_TRANSACTION } from './machines.ts'
import type { Acquirer, AcquirerAnswer } from './ports/acquirer.ts'
import type { NodeLink } from './ports/node-link.ts'
import type { Key, StoredTimer } from './ports/store.ts'
import type { TerminalDriver, TerminalSink } from './ports/terminal.ts'
import type { DirectoryServer } from './ports/three-d-secure.ts'
import type { Tracing } from './ports/tracing.ts'
import type { WebhookSender } from './ports/webhook-sender.ts'
import type { SpanAttributes } from './span-attributes.ts'
import { traced } from './traced-work.ts'

/** Calls a party outside with a span. */
function calling(tracing: Tracing, party: string) {
  return <T>(
    name: string,
    account: string,
    call: () => Promise<T>,
    told?: (result: T) => SpanAttributes,
  ): Promise<T> => {
    const attributes = { 'tollgate.account': account, 'tollgate.party': party }
    return traced(tracing, tracing.begin(name, { kind: 'client', attributes }), call, told)
  }
}

/** Wraps a terminal driver. Its reports are traced by the sink. */
export function tracedDriver(driver: TerminalDriver, tracing: Tracing): TerminalDriver {
  const call = calling(tracing, driver.name)
  return {
    ...driver,
    presence: terminal => driver.presence(terminal),
    start: given => call('terminal start', given.terminal.merchantAccount, () => driver.start(given)),
    cancel: given => call('terminal cancel', given.terminal.merchantAccount, () => driver.cancel(given)),
    answerSignature: (given, answer) =>
      call('terminal answer_signature', given.terminal.merchantAccount, () => driver.answerSignature(given, answer)),
    answerAuthorisation: (given, answer) =>
      call('terminal answer_authorisation', given.terminal.merchantAccount, () =>
        driver.answerAuthorisation(given, answer),
      ),
    runReport: given => call('terminal run_report', given.terminal.merchantAccount, () => driver.runReport(given)),
    lastTransaction: (terminal, requestId) =>
      call('terminal last_transaction', terminal.merchantAccount, () => driver.lastTransaction(terminal, requestId)),
    listen: (sink, serves) => driver.listen(sink, serves),
    servesOthers: async () => driver.servesOthers?.(),
    close: () => driver.close(),
  }
}

/** Wraps an acquirer. */
export function tracedAcquirer(acquirer: Acquirer, tracing: Tracing): Acquirer {
  const call = calling(tracing, acquirer.name)
  const answered = ({ answer }: AcquirerAnswer) => ({ 'tollgate.answer': answer })
  return {
    ...acquirer,
    authorise: (order, purpose) =>
      call('acquirer authorise', order.account, () => acquirer.authorise(order, purpose), answered),
    capture: order => call('acquirer capture', order.account, () => acquirer.capture(order), answered),
    refund: order => call('acquirer refund', order.account, () => acquirer.refund(order), answered),
    verify: order => call('acquirer verify', order.account, () => acquirer.verify(order), answered),
    reverse: reversal =>
      call(
        'acquirer reverse',
        reversal.account,
        () => acquirer.reverse(reversal),
        answer => ({
          'tollgate.answer': answer,
        }),
      ),
  }
}

/** Wraps a directory server. */
export function tracedDirectoryServer(server: DirectoryServer, tracing: Tracing): DirectoryServer {
  const call = calling(tracing, server.name)
  return {
    name: server.name,
    deviceData: order => call('directory_server device_data', order.account, () => server.deviceData(order)),
    // Both only read or write a note in the store, which has spans of its own.
    issuerPost: (account, token) => server.issuerPost(account, token),
    deviceDataDone: (account, token, said) => server.deviceDataDone(account, token, said),
    lookUp: order =>
      call(
        'directory_server look_up',
        order.account,
        () => server.lookUp(order),
        ({ type }) => ({
          'tollgate.answer': type,
        }),
      ),
    authenticatesLater: async (account, scheme) => (await server.authenticatesLater?.(account, scheme)) ?? false,
    resultOf: (account, md) =>
      call(
        'directory_server result_of',
        account,
        () => server.resultOf(account, md),
        result => ({
          'tollgate.answer': result === 'pending' ? result : result.type,
        }),
      ),
  }
}

/** Wraps the sender of webhooks: each POST has a span, and names it to the receiver in its `traceparent` header. */
export function tracedWebhookSender(sender: WebhookSender, tracing: Tracing): WebhookSender {
  return {
    post(message) {
      const span = tracing.begin('webhook POST', { kind: 'client', attributes: { 'http.request.method': 'POST' } })
      const headers = { ...message.headers, traceparent: span.traceparent }
      return traced(
        tracing,
        span,
        () => sender.post({ ...message, headers }),
        outcome => ({
          'tollgate.answer': outcome.outcome,
          ...(outcome.outcome === 'answered' ? { 'http.response.status_code': outcome.status } : {}),
        }),
      )
    },
  }
}

/** Wraps the link between nodes: a call that belongs to a trace continues it on the other node. */
export function tracedLink(link: NodeLink, tracing: Tracing): NodeLink {
  return {
    get others() {
      return link.others
    },
    know: others => link.know(others),
    handle(name, handler) {
      link.handle(name, (body, from, traceparent) => {
        if (traceparent === null) return handler(body, from, null)
        const span = tracing.begin(`node ${name}`, { kind: 'server', parent: traceparent })
        return traced(tracing, span, () => handler(body, from, traceparent))
      })
    },
    call(address, name, body, limitMs) {
      if (tracing.active === null) return link.call(address, name, body, limitMs)
      const span = tracing.begin(`call ${name}`, { kind: 'client' })
      return traced(
        tracing,
        span,
        () => link.call(address, name, body, limitMs, { traceparent: span.traceparent }),
        ({ outcome }) => ({ 'tollgate.answer': outcome }),
      )
    },
  }
}

/** Wraps the sink of terminals: a report belongs to the trace in which its transaction began. */
export function tracedSink(sink: TerminalSink, tracing: Tracing): TerminalSink {
  const arrived = (key: Key, sequence: number, reports: readonly { readonly type: string }[]) =>
    tracing.begin('terminal report', {
      ...{ kind: 'consumer', parent: tracing.originOf(key) },
      attributes: {
        ...recordAttributes(key),
        'tollgate.report.sequence': sequence,
        ...(reports[0] === undefined ? {} : { 'tollgate.report.first': reports[0].type }),
      },
    })
  return {
    report(delivery) {
      const key = { account: delivery.account, kind: TERMINAL_TRANSACTION.kind, id: delivery.requestId }
      return traced(tracing, arrived(key, delivery.sequence, delivery.reports), () => sink.report(delivery))
    },
    reportProgress(delivery) {
      const key = { account: delivery.account, kind: REPORT.kind, id: delivery.requestId }
      return traced(tracing, arrived(key, delivery.sequence, delivery.reports), () => sink.reportProgress(delivery))
    },
    reconnected(account, tid) {
      const attributes = { 'tollgate.account': account }
      const span = tracing.begin('terminal reconnected', { kind: 'consumer', parent: null, attributes })
      return traced(tracing, span, () => sink.reconnected(account, tid))
    },
    atTable(account, by, question) {
      const attributes = { 'tollgate.account': account, 'tollgate.command': question.ask }
      const span = tracing.begin('terminal at_table', { kind: 'consumer', parent: null, attributes })
      return traced(
        tracing,
        span,
        () => sink.atTable(account, by, question),
        ({ reply }) => ({
          'tollgate.answer': reply,
        }),
      )
    },
  }
}

/** Wraps the firing of timers: a timer belongs to the trace in which its record began. */
export function tracedFire(fire: (timer: StoredTimer) => Promise<boolean>, tracing: Tracing): typeof fire {
  return timer => {
    const span = tracing.begin(`timer ${timer.kind}`, {
      parent: tracing.originOf(timer),
      attributes: { ...recordAttributes(timer), 'tollgate.timer': timer.name },
    })
    return traced(tracing, span, () => fire(timer))
  }
}

function recordAttributes({ account, kind, id }: Key): SpanAttributes {
  return { 'tollgate.account': account, 'tollgate.record.kind': kind, 'tollgate.record.id': id }
}

/** The part with a span for each call; as it is when tracing is off. */
export function tracedBy<Part>(
  tracing: Tracing | null,
  trace: (part: Part, tracing: Tracing) => Part,
  part: Part,
): Part {
  return tracing === null ? part : trace(part, tracing)
}
