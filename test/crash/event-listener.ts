// test/crash/event-listener.ts — follows the events of an account across kills of the gateway, from the last cursor
// received.
import { get, type IncomingMessage } from 'node:http'
import { basic } from '../support/till.ts'
import { deferred } from './deferred.ts'
import { type Life, type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'

export interface HeardEvent {
  readonly cursor: number
  readonly id: string
  readonly version: number
  readonly type: string
}

export interface EventListener {
  readonly heard: readonly HeardEvent[]
  /** Resolves at the next event. Rejects when the stream ends unexpectedly. */
  next(): Promise<void>
  /** Stops at once. */
  close(): void
  /** Rejects when a running gateway ends the stream. */
  readonly done: Promise<void>
}

/** Listens until it is closed. */
export function listenToEvents(gateway: MortalGateway, key: string): EventListener {
  const heard: HeardEvent[] = []
  let coming = deferred<void>()
  let closed = false
  let response: IncomingMessage | null = null

  function take(frame: string): void {
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    if (data === undefined) return
    heard.push(JSON.parse(data) as HeardEvent)
    const told = coming
    coming = deferred()
    told.resolve()
  }

  async function listen(): Promise<void> {
    while (!closed) {
      const life = await gateway.up()
      response = await openStream(life, key, heard.at(-1)?.cursor ?? 0).catch(() => null)
      if (response !== null) await readFrames(response, take)
      if (!closed && !life.doomed) throw new Error('the stream of events was ended by a gateway that lives')
    }
  }

  const done = listen()
  done.catch(() => {})
  return {
    heard,
    next: () => Promise.race([coming.promise, done.then(() => coming.promise)]),
    close() {
      closed = true
      response?.destroy()
    },
    done,
  }
}

function openStream({ url, agent }: Life, key: string, cursor: number): Promise<IncomingMessage> {
  const headers = { authorization: basic(key), accept: 'text/event-stream', 'last-event-id': String(cursor) }
  return new Promise((resolve, reject) => {
    // A heartbeat comes every 15 seconds, so a stream that is silent for longer is broken.
    const request = get(new URL('/api/events', url), { headers, agent, timeout: PATIENCE_MS.answer }, resolve)
    request.on('timeout', () => request.destroy(new Error('the stream of events fell silent')))
    request.on('error', reject)
  })
}

/** Reads frames until the stream ends. An incomplete last frame is dropped. */
async function readFrames(response: IncomingMessage, take: (frame: string) => void): Promise<void> {
  let rest = ''
  response.setEncoding('utf8')
  try {
    for await (const part of response) {
      const frames = (rest + String(part)).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  } catch {
    // Cut off: the listener continues from the last complete event.
  }
}
