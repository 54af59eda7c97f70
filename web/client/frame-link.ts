// web/client/frame-link.ts — a frame of the gateway on the merchant's page, and the talk with it.
import { type Envelope, isEnvelope, type Message, SOURCE } from '../protocol.ts'

/** A frame that has said nothing by then will not: it was blocked, or the network is gone. */
const LOAD_LIMIT_MS = 20_000

export interface FrameLink {
  readonly frame: HTMLIFrameElement
  send(message: Message): void
  remove(): void
}

export interface FrameOptions {
  readonly parent: Element
  readonly host: string
  /** With its query, from the host on. */
  readonly path: string
  readonly title: string
  /** Said whenever the document has loaded: also again when the page has moved the frame, which loads it anew. */
  greeting(): Message
  hear(message: Message): void
  /** Nothing was heard in time of a document that has loaded, or of the first. */
  failed(): void
}

/** Puts the frame in at once: pages look for it right after the constructor. E-commerce 7.11. */
export function openFrame({ parent, host, path, title, greeting, hear, failed }: FrameOptions): FrameLink {
  const id = randomId()
  const frame = document.createElement('iframe')
  frame.title = title
  frame.allow = 'payment'
  frame.src = host + path
  // Through the object model, which a policy against inline style does not forbid.
  frame.style.border = '0'
  let heard = false
  const send = (message: Message): void => {
    const envelope: Envelope = { ...message, source: SOURCE, id }
    frame.contentWindow?.postMessage(envelope, host)
  }
  const listen = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== frame.contentWindow || origin !== host) return
    if (!isEnvelope(data) || data.id !== id) return
    heard = true
    hear(data)
  }
  let limit: ReturnType<typeof setTimeout> | undefined
  const restart = (): void => {
    heard = false
    clearTimeout(limit)
    limit = setTimeout(() => heard || failed(), LOAD_LIMIT_MS)
  }
  restart()
  addEventListener('message', listen)
  frame.addEventListener('load', () => {
    // Another document: whether it is ours, and will answer, is as open as at first.
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
