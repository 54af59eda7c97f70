// src/peers/directory-server/server.ts — answers the 3DS Server: card ranges and authentications.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Compile } from 'typebox/schema'
import { bodyText } from '../body-text.ts'
import type { ScenarioQueue } from '../scenario-queue.ts'
import type { Time } from '../time.ts'
import { type Authentication, type Authentications, masked } from './authentications.ts'
import type { Behaviour, Concern } from './behaviour.ts'
import { ares, erro, type Pages, pres, type Scheme } from './messages.ts'
import { AREQ, AREQ_LATER, ERRO, type Json, PREQ, VERSIONS } from './schemas.ts'

/** Longest message, in bytes. */
const LONGEST_BODY = 262_144

export interface ServerParts {
  readonly scheme: Scheme
  readonly pages: Pages
  readonly authentications: Authentications
  readonly behaviours: Pick<ScenarioQueue<Concern, Behaviour>, 'take'>
  readonly time: Time
  readonly uuid: () => string
  /** Gets a line for each message. */
  readonly onLine: (line: string) => void
}

const valid = { AReq: Compile(AREQ), later: Compile(AREQ_LATER), PReq: Compile(PREQ), Erro: Compile(ERRO) }

interface Answered {
  readonly message: Json
  readonly behaviour: Behaviour
}

/** Answers a request of a 3DS Server. */
export async function serveMessages(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
): Promise<void> {
  const text = await bodyText(request, LONGEST_BODY)
  const message = messageIn(text)
  if (message === null) return send(response, erro({}, '101', 'The message is no JSON object'), parts)
  const type = String(message['messageType'])
  parts.onLine(`<- ${lineOf(message)}`)
  if (type === 'Erro') {
    response.writeHead(200).end()
    return
  }
  const answered = answerTo(message, type, parts)
  if ('refused' in answered) return send(response, answered.refused, parts)
  await play(response, answered, parts)
}

function messageIn(text: string | null): Json | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}

function answerTo(message: Json, type: string, parts: ServerParts): Answered | { readonly refused: Json } {
  const { scheme, pages, authentications, behaviours, time, uuid } = parts
  if (type !== 'AReq' && type !== 'PReq') return { refused: erro(message, '101', 'messageType') }
  if (!VERSIONS.some(each => each === message['messageVersion']))
    return { refused: erro(message, '102', VERSIONS.join(', ')) }
  // As unknown: the check would narrow the type to that of the schema.
  const sent: unknown = message
  const schema = type === 'AReq' && message['deviceChannel'] === '03' ? valid.later : valid[type]
  if (!schema.Check(sent)) {
    const [, [fault] = []] = schema.Errors(sent)
    return { refused: erro(message, '203', fault?.instancePath.slice(1) || (fault?.message ?? 'the message')) }
  }
  if (type === 'PReq') {
    const behaviour = behaviours.take({ concern: 'ranges', ending: null, amountMinor: null })
    return { message: pres(message, scheme, pages, uuid()), behaviour }
  }
  const ending = String(message['acctNumber']).slice(-4)
  const amountMinor = Number(message['purchaseAmount'])
  const behaviour = behaviours.take({ concern: 'authentication', ending, amountMinor })
  const status = behaviour.status ?? (demandsChallenge(message) ? 'C' : 'Y')
  const authentication: Authentication = {
    ...{ areq: message, behaviour, acsTransId: uuid(), dsTransId: uuid(), at: time.now(), status },
    ...{ challenge: status === 'C' ? 'waiting' : 'none', wrongCodes: 0, result: 'none' },
  }
  authentications.add(authentication)
  return { message: ares(authentication, pages), behaviour }
}

/** Whether the shop wants a challenge, or must have one. */
function demandsChallenge({ threeDSRequestorChallengeInd: wish }: Json): boolean {
  return [wish].flat().some(each => each === '03' || each === '04')
}

/** Sends the answer as the scenario says. */
async function play(
  response: ServerResponse,
  { message, behaviour: { faults } }: Answered,
  parts: ServerParts,
): Promise<void> {
  if (faults.has('no_answer')) return parts.onLine('-> nothing')
  if (faults.has('connection_dropped')) return void response.destroy()
  const slowMs = faults.get('slow_answer')
  if (slowMs !== undefined)
    await new Promise<void>(resolve => parts.time.alarm(parts.time.now() + slowMs, () => resolve()))
  const code = faults.get('erro')
  const { authenticationValue: _, ...valueless } = message
  const wrong = {
    ...(faults.has('value_missing') ? valueless : message),
    ...(faults.has('wrong_transaction_id') && { threeDSServerTransID: parts.uuid() }),
  }
  const sent = code === undefined ? wrong : erro(message, String(code), 'A scenario asks for it')
  if (!faults.has('half_answer')) return send(response, sent, parts)
  const text = JSON.stringify(sent)
  parts.onLine('-> half an answer')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function send(response: ServerResponse, message: Json, { onLine }: Pick<ServerParts, 'onLine'>): void {
  onLine(`-> ${lineOf(message)}`)
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(message))
}

/** What the log shows of a message: nothing that proves anything, and the card masked. */
function lineOf(message: Json): string {
  const { messageType, messageVersion, acctNumber, transStatus, errorCode, errorDetail } = message
  const card = typeof acctNumber === 'string' ? `card=${masked(acctNumber)}` : null
  const parts = [
    printable(messageType),
    printable(messageVersion),
    card,
    transStatus === undefined ? null : `status=${printable(transStatus)}`,
    errorCode === undefined ? null : `code=${printable(errorCode)} detail=${printable(errorDetail)}`,
  ]
  return parts.filter(part => part !== null).join(' ')
}

function printable(value: unknown): string {
  return String(value)
    .replace(/[^ -~]/g, '?')
    .slice(0, 120)
}
