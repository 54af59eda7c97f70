// src/simulator/nodes/passed-requests.ts — passes HTTP requests on that change the simulated world, to the node that has the
// account, and serves those that others pass on. ADR 71.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Answer, Headers } from '../../api/answer.ts'
import type { InjectRequest, InterceptedParams, InterceptedRequest } from '../../api/interceptor.ts'
import { Fault } from '../../engine/fault.ts'
import type { LaneNode } from './lane-node.ts'

const CALL = 'sandbox-request'
/** Marks a request that was passed on: it is not passed on again. Its value is known to this process only. */
const MARK = 'tollgate-passed-on'

/** Headers of one connection, or of one rendering. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length', 'date', 'expect', MARK],
  ...['cache-control', 'x-content-type-options', 'x-request-id', 'content-type'],
])

/** Bodies are in base64. */
interface PassedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `cut`: a fault has cut the connection without an answer. */
type PassedAnswer =
  | { readonly cut: true }
  | { readonly cut: false; readonly status: number; readonly headers: Headers; readonly body: string }

export interface PassedRequests {
  /**
   * Has a request served by the node of its account, and gives its answer.
   * @throws faults of `LaneNode.ask`
   */
  passOn(account: string, context: InterceptedRequest, about: InterceptedParams): Promise<Answer>
  /** Serves requests that other nodes pass on from now on. */
  serveBy(inject: InjectRequest): void
  /** Whether another node has passed this request on. */
  isPassedOn(request: IncomingMessage): boolean
}

/** @param mark a text that nobody else knows */
export function createPassedRequests(lane: LaneNode, mark: string): PassedRequests {
  const isPassedOn = ({ headers }: IncomingMessage) => headers[MARK] === mark
  return {
    isPassedOn,
    async passOn(account, { request, response }, { bytes }) {
      // The lane has moved on since the other node found it here.
      if (isPassedOn(request)) throw new Fault('lease_lost', { detail: account })
      const answer = (await lane.ask(account, CALL, passedRequest(request, bytes))) as PassedAnswer
      if (answer.cut) {
        response.destroy()
        return { taken: true }
      }
      const { 'content-type': mediaType = '' } = answer.headers
      const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !NOT_PASSED.has(name)))
      return { status: answer.status, bytes: Buffer.from(answer.body, 'base64'), mediaType, headers }
    },
    serveBy(inject) {
      lane.answer(CALL, async about => {
        const { method, url, headers, body } = about as PassedRequest
        const payload = Buffer.from(body, 'base64')
        const marked = { ...headers, [MARK]: mark }
        return inject({ method, url, headers: marked, payload }).then(
          (served): PassedAnswer => ({
            cut: false,
            status: served.statusCode,
            headers: textsOf(served.headers),
            body: served.rawPayload.toString('base64'),
          }),
          // A fault has destroyed the response.
          (): PassedAnswer => ({ cut: true }),
        )
      })
    },
  }
}

function passedRequest({ method = 'GET', url = '/', headers }: IncomingMessage, bytes: Uint8Array): PassedRequest {
  const passed = Object.entries(headers).filter(([name]) => name === 'content-type' || !NOT_PASSED.has(name))
  return { method, url, headers: Object.fromEntries(passed), body: Buffer.from(bytes).toString('base64') }
}

function textsOf(headers: Readonly<Record<string, unknown>>): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
