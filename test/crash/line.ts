// test/crash/line.ts — a till's HTTP connection to the gateway, which breaks at each kill.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { basic } from '../support/till.ts'
import type { Moments } from './moments.ts'
import { type Life, type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'

export interface Heard {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown
}

export interface Line {
  readonly gateway: MortalGateway
  /** Sends a request once a gateway listens. Null when the gateway was killed before the answer was complete. */
  ask(method: string, path: string, ask?: Ask): Promise<Heard | null>
  /** Repeats the same request until there is an answer. */
  insist(method: string, path: string, ask?: Ask): Promise<Heard>
}

/** The connection of the account with this key. */
export function createLine(gateway: MortalGateway, moments: Moments, key: string): Line {
  async function ask(method: string, path: string, { headers = {}, body }: Ask = {}): Promise<Heard | null> {
    const life = await gateway.up()
    const sent = { authorization: basic(key), 'content-type': 'application/json', ...headers }
    try {
      const heard = await exchange(life, moments, method, path, sent, body)
      moments.happened('answer')
      return heard
    } catch (error) {
      if (life.doomed) return null
      const state = await gateway.state()
      throw new Error(`${method} ${path} got no answer from a gateway that lives: ${error}\n${state}`, { cause: error })
    }
  }
  return {
    gateway,
    ask,
    async insist(method, path, more) {
      for (;;) {
        const heard = await ask(method, path, more)
        if (heard !== null) return heard
      }
    },
  }
}

function exchange(
  { url, agent }: Life,
  moments: Moments,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Heard> {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  // Set explicitly, because Node does not set it for DELETE.
  const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  const options = { method, headers: { ...headers, ...length }, agent, timeout: PATIENCE_MS.answer }
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, url), options, response => {
      let heard = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        heard += part
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: heard }))
    })
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`nothing was heard for ${PATIENCE_MS.answer} ms`)))
    request.on('finish', () => moments.happened('request'))
    request.end(text)
  })
}
