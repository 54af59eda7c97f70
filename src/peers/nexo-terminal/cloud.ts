// src/peers/nexo-terminal/cloud.ts — the provider's cloud in front of the terminal: hands requests on, or says why not.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Time } from '../time.ts'
import { answer } from './answering.ts'
import type { Behaviour } from './behaviour.ts'
import { decryptedByLibrary, type LibraryKey } from './encryption.ts'
import { failure, type Header, requestIn } from './messages.ts'
import type { Terminal } from './terminal.ts'

export interface Cloud {
  readonly apiKey: string
  readonly merchantAccount: string
}

export interface CloudTerminal {
  readonly cloud: Cloud
  readonly terminal: Terminal
  readonly poiId: string
  /** Null: messages are in clear text. */
  readonly key: LibraryKey | null
  /** Whether the terminal is connected to the cloud. */
  readonly isOn: boolean
  readonly time: Time
}

/** Answers a request for a terminal as the API for devices does. */
export async function serveCloud(
  { cloud, terminal, poiId, key, isOn, time }: CloudTerminal,
  { method, url, headers }: IncomingMessage,
  text: string,
  response: ServerResponse,
): Promise<void> {
  const account = `/v1/merchants/${cloud.merchantAccount}`
  const isList = method === 'GET' && url?.split('?')[0] === `${account}/connectedDevices`
  const way = ['sync', 'async'].find(each => method === 'POST' && url === `${account}/devices/${poiId}/${each}`)
  if (!isList && way === undefined) return problem(response, 404, 'Not found')
  if (headers['x-api-key'] !== cloud.apiKey) return problem(response, 401, 'Unauthorized')
  if (isList) return listed(terminal.listing(), isOn ? [poiId] : [], response)
  const request = requestIn(opened(text, key))
  if (request === null || request.header.POIID !== poiId) return problem(response, 422, 'Invalid request')
  const { header } = request
  const behaviour = terminal.behaviourFor(request)
  const { faults } = behaviour
  if (faults.has('unauthorised')) return problem(response, 401, 'Unauthorized')
  if (faults.has('refused_by_api')) return problem(response, 422, 'Invalid request')
  if (faults.has('unreachable') || !isOn) return undelivered(header, response)
  if (way === 'async') {
    if (!faults.has('swallowed')) void terminal.take(request, behaviour)
    return void response.end('ok')
  }
  if (faults.has('swallowed')) return gaveUp(header, time, response)
  response.on('close', () => terminal.hungUp(header.ServiceID))
  const answering = terminal.take(request, behaviour)
  if (faults.has('gave_up')) return gaveUp(header, time, response)
  if (faults.has('gateway_timeout')) {
    response.statusCode = 504
    return void response.end('upstream request timeout')
  }
  answer(header, await answering, key, response)
}

/** Answers with the ids of the terminals that are connected. */
function listed({ faults }: Behaviour, ids: readonly string[], response: ServerResponse): void {
  if (faults.has('refused_by_api')) problem(response, 422, 'Invalid request')
  else response.end(JSON.stringify({ uniqueDeviceIds: faults.has('not_listed') ? [] : ids }))
}

/** The message in the text; null when it cannot be opened. */
function opened(text: string, key: LibraryKey | null): unknown {
  try {
    return key === null ? JSON.parse(text) : decryptedByLibrary(text, key)
  } catch {
    return null
  }
}

function problem(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(
    JSON.stringify({ type: 'https://docs.example/errors', title, status, errorCode: '00_000', requestId: 'R1' }),
  )
}

function undelivered(header: Header, response: ServerResponse): void {
  const Response = failure('UnreachableHost', 'message=Terminal+is+not+reachable')
  const MessageHeader = { ...header, MessageType: 'Response' }
  response.end(
    JSON.stringify({ SaleToPOIResponse: { MessageHeader, [`${header.MessageCategory}Response`]: { Response } } }),
  )
}

function gaveUp(header: Header, time: Time, response: ServerResponse): void {
  const MessageHeader = { ...header, MessageClass: 'Event', MessageCategory: 'Event', MessageType: 'Notification' }
  const EventNotification = {
    ...{ EventToNotify: 'Reject', TimeStamp: new Date(time.now()).toISOString() },
    EventDetails: 'message=Did+not+receive+a+response+from+the+POI.',
  }
  response.end(JSON.stringify({ SaleToPOIRequest: { MessageHeader, EventNotification } }))
}
