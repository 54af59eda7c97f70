// src/peers/directory-server/results.ts — sends the result of a challenge to the 3DS Server, over mutual TLS.
import { once } from 'node:events'
import { type RequestOptions, request } from 'node:https'
import { Compile } from 'typebox/schema'
import { bodyText } from '../body-text.ts'
import type { Authentication } from './authentications.ts'
import { rreq } from './messages.ts'
import { type Json, RRES } from './schemas.ts'

/** Longest wait for a confirmation, in milliseconds, and its longest body, in bytes. */
const LIMIT_MS = 10_000
const LONGEST_BODY = 65_536

const valid = Compile(RRES)

/** Certificate and key of the directory server as a client, and the root of the 3DS Server's certificate. PEM. */
export interface ClientTls {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

/**
 * Sends the result, and notes what became of it: `confirmed`, `refused` with an answer that is no confirmation, or `lost`.
 * @returns a sentence for the log
 */
export async function sendResult(authentication: Authentication, tls: ClientTls): Promise<string> {
  const url = String(authentication.areq['threeDSServerURL'])
  authentication.result = 'sent'
  try {
    const answer = await posted(url, JSON.stringify(rreq(authentication)), tls)
    authentication.result = isConfirmation(answer, authentication) ? 'confirmed' : 'refused'
    return `result ${authentication.result}`
  } catch (error) {
    authentication.result = 'lost'
    return `result lost: ${error instanceof Error ? error.message : String(error)}`
  }
}

function isConfirmation(text: string, { acsTransId }: Authentication): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return valid.Check(answer) && (answer as Json)['acsTransID'] === acsTransId
  } catch {
    return false
  }
}

async function posted(url: string, body: string, tls: ClientTls): Promise<string> {
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(LIMIT_MS),
    headers,
    ...tls,
  }
  const asked = request(url, options)
  asked.end(body)
  const [answer] = await once(asked, 'response')
  return (await bodyText(answer, LONGEST_BODY)) ?? ''
}
