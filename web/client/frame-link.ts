// web/client/frame-link.ts — a gateway frame on the merchant's page, and its messages.
import { type Envelope, isEnvelope, type Message, SOURCE } from '../protocol.ts'

/** Time-out for the first message from the frame. After it the frame counts as blocked. */
const LOAD_LIMIT_MS = 20_000

export interface FrameLink {
  readonly frame: HTMLIFrameElement
  send(message: Message): void
  remove(): void
}

export interface FrameOptions {
  readonly parent: Element
  readonly host: string
  /** Path and query. */
  readonly path: string
  readonly title: string
  /** First message to each loaded document. A frame that the page moves loads again. */
  greeting(): Message
  receive(message: Message): void
  /** Called when a document has not answered in time. */
  failed(): void
}

/** Inserts the frame synchronously: pages look for it right after the constructor. */
export function openFrame({ parent, host, path, title, greeting, receive, failed }: FrameOptions): FrameLink {
  const id = randomId()
  const frame = document.createElement('iframe')
  frame.title = title
  // Banks let shoppers confirm with a passkey.
  frame.allow = 'payment; publickey-credentials-get'
  frame.src = host + path
  // Set by script, which a policy against inline styles allows.
  frame.style.border = '0'
  let isAnswered = false
  const send = (message: Message): void => {
    const envelope: Envelope = { ...message, source: SOURCE, id }
    frame.contentWindow?.postMessage(envelope, host)
  }
  const listen = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== frame.contentWindow || origin !== host) return
    if (!isEnvelope(data) || data.id !== id) return
    isAnswered = true
    receive(data)
  }
  let limit: ReturnType<typeof setTimeout> | undefined
  const restart = (): void => {
    isAnswered = false
    clearTimeout(limit)
    limit = setTimeout(() => isAnswered || failed(), LOAD_LIMIT_MS)
  }
  restart()
  addEventListener('message', listen)
  frame.addEventListener('load', () => {
    // The new document may be another one, so wait for its answer as at first.
    restart()
    send(greeting())
  })
  parent.append(frame)
  return {
    frame,
    send,
    remove() {
      clearTimeout(limit)
      removeEventListener('message', listen)
      frame.remove()
    },
  }
}

function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map(part => part.toString(36)).join('')
}
