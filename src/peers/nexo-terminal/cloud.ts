// src/peers/nexo-terminal/cloud.ts — the provider's cloud in front of a scripted terminal: hands requests on, or says why not.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answer, textOf } from './answering.ts'
import { decryptedByLibrary, type LibraryKey } from './encryption.ts'
import type { Header, Members, Terminal } from './terminal.ts'

export interface CloudOrder {
  readonly apiKey: string
  readonly merchantAccount: string
  /** Whether messages are encrypted with the key of the terminal. */
  readonly isEncrypted: boolean
}

export interface CloudTerminal {
  readonly terminal: Terminal
  readonly poiId: string
  readonly key: LibraryKey
  /** Whether the terminal is connected to the cloud. */
  readonly isOn: boolean
}

/** Answers a request for a terminal as the API for devices does. */
export async function serveCloud(
  { terminal, poiId, key, isOn }: CloudTerminal,
  { apiKey, merchantAccount, isEncrypted }: CloudOrder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await textOf(request)
  if (request.url !== `/v1/merchants/${merchantAccount}/devices/${poiId}/sync`)
    return problem(response, 404, 'Not found')
  if (request.headers['x-api-key'] !== apiKey) return problem(response, 401, 'Unauthorized')
  const message = isEncrypted ? decryptedByLibrary(text, key) : JSON.parse(text)
  const { MessageHeader, ...body } = (message as { readonly SaleToPOIRequest: Members }).SaleToPOIRequest
  const header = MessageHeader as Header
  const fault = header.MessageCategory === 'Payment' ? terminal.cloudFault() : 'none'
  const handOver = () => terminal.take(header, body)
  if (fault === 'unauthorised') return problem(response, 401, 'Unauthorized')
  if (fault === 'problem') return problem(response, 422, 'Invalid request')
  if (fault === 'unreachable' || !isOn) return undelivered(header, response)
  if (fault === 'swallowed') return gaveUp(header, response)
  response.on('close', () => terminal.hungUp(header.ServiceID))
  if (fault === 'gave_up' || fault === 'http_504') {
    void handOver()
    if (fault === 'gave_up') return gaveUp(header, response)
    response.statusCode = 504
    return void response.end('upstream request timeout')
  }
  answer(header, await handOver(), isEncrypted ? key : null, response)
}

function problem(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(
    JSON.stringify({ type: 'https://docs.example/errors', title, status, errorCode: '00_000', requestId: 'R1' }),
  )
}

function undelivered(header: Header, response: ServerResponse): void {
  const Response = {
    ...{ Result: 'Failure', ErrorCondition: 'UnreachableHost' },
    AdditionalResponse: 'message=Terminal+is+not+reachable',
  }
  const MessageHeader = { ...header, MessageType: 'Response' }
  response.end(
    JSON.stringify({ SaleToPOIResponse: { MessageHeader, [`${header.MessageCategory}Response`]: { Response } } }),
  )
}

function gaveUp(header: Header, response: ServerResponse): void {
  const MessageHeader = { ...header, MessageClass: 'Event', MessageCategory: 'Event', MessageType: 'Notification' }
  const EventNotification = {
    ...{ EventToNotify: 'Reject', TimeStamp: '2026-05-06T13:03:27.000Z' },
    EventDetails: 'message=Did+not+receive+a+response+from+the+POI.',
  }
  response.end(JSON.stringify({ SaleToPOIRequest: { MessageHeader, EventNotification } }))
}
