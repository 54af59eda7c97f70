// src/three-d-secure/emv/exchange.ts — sends one message to a directory server and judges the answer.
import type {
  CallFailure,
  CallOutcome,
  DirectoryServerCall,
  DirectoryServerClient,
} from '../../engine/ports/directory-server-client.ts'
import { decode, encode, type Message } from './codec.ts'
import { OBJECTIONS, type Objection, objection } from './objection.ts'
import type { Version } from './versions.ts'

export interface ExchangeParts {
  readonly client: DirectoryServerClient
  /** Addresses of the directory server, tried in order. */
  readonly urls: readonly string[]
  readonly call: Omit<DirectoryServerCall, 'url' | 'body'>
}

/** The answer to each request. */
const ANSWERS = { PReq: 'PRes', AReq: 'ARes' } as const
type Request = keyof typeof ANSWERS

export type Exchanged<Type extends Request = Request> =
  | { readonly outcome: 'answered'; readonly message: Message<(typeof ANSWERS)[Type]>; readonly url: string }
  | { readonly outcome: 'erro'; readonly erro: Message<'Erro'> }
  /** The request cannot be written in this version. Nothing was sent. */
  | { readonly outcome: 'not_sent'; readonly objection: Objection }
  /** The answer is not right. The directory server has been sent an Erro, unless the answer was one. */
  | { readonly outcome: 'objection'; readonly objection: Objection }
  | { readonly outcome: 'failed'; readonly failed: CallFailure; readonly detail: string; readonly url: string }

/**
 * Sends a request. The second address is tried when the first one is not reached, and only then: a message that may have
 * arrived is not sent again.
 */
export function exchange(request: Message<'PReq'>, version: Version, parts: ExchangeParts): Promise<Exchanged<'PReq'>>
export function exchange(request: Message<'AReq'>, version: Version, parts: ExchangeParts): Promise<Exchanged<'AReq'>>
export async function exchange(request: Message<Request>, version: Version, parts: ExchangeParts): Promise<Exchanged> {
  const written = encode(request, version)
  if ('refused' in written) return { outcome: 'not_sent', objection: written.refused }
  const { url, result } = await firstReached(written.text, parts)
  if ('failed' in result) return { outcome: 'failed', ...result, url }
  // The status of HTTP says nothing: an Erro comes with 200 from some servers and with 400 or 500 from others.
  const decoded = decode(result.body, {
    expected: [ANSWERS[request.messageType], 'Erro'],
    longest: parts.call.longestAnswer,
    ...(request.messageType === 'AReq' && { messageCategory: request.messageCategory }),
  })
  if ('refused' in decoded) {
    // An Erro is never answered with an Erro.
    if (MALFORMED_ERRO.test(result.body)) return { outcome: 'objection', objection: decoded.refused }
    return refuse(decoded.refused, request, version, url, parts)
  }
  const { message } = decoded
  if (message.messageType === 'Erro') return { outcome: 'erro', erro: message }
  if (message.threeDSServerTransID !== request.threeDSServerTransID)
    return refuse(objection('301', ['threeDSServerTransID']), request, version, url, parts)
  if (decoded.version !== version) return refuse(objection('203', ['messageVersion']), request, version, url, parts)
  return { outcome: 'answered', message, url }
}

const MALFORMED_ERRO = /"messageType"\s*:\s*"Erro"/

async function firstReached(body: string, { client, urls, call }: ExchangeParts) {
  let last: { readonly url: string; readonly result: CallOutcome } | null = null
  for (const url of urls) {
    const result = await client.post({ ...call, url, body })
    last = { url, result }
    if (!('failed' in result) || result.failed !== 'unreachable') break
  }
  return last ?? { url: '', result: { failed: 'unreachable' as const, detail: 'there is no address' } }
}

/** Sends an Erro about an answer. Whether it arrives changes nothing. */
export async function refuse(
  problem: Objection,
  request: Message<Request>,
  version: Version,
  url: string,
  { client, call }: ExchangeParts,
): Promise<Extract<Exchanged, { readonly outcome: 'objection' }>> {
  const erro = encode(
    {
      messageType: 'Erro',
      errorCode: problem.code,
      errorComponent: 'S',
      errorDescription: OBJECTIONS[problem.code],
      errorDetail: problem.detail,
      errorMessageType: ANSWERS[request.messageType],
      threeDSServerTransID: request.threeDSServerTransID,
    },
    version,
  )
  if ('text' in erro) await client.post({ ...call, url, body: erro.text })
  return { outcome: 'objection', objection: problem }
}
