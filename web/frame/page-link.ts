// web/frame/page-link.ts — messages between a frame and the merchant's page. The link is bound to the origin of the first
// greeting from the parent window.
import { type Envelope, isEnvelope, type Message, SOURCE } from '../protocol.ts'

export interface PageLink {
  /** Origin of the merchant's page. */
  readonly origin: string
  send(message: Message): void
}

/** Starts listening. `receive` is called for the greeting and all later messages from the same origin. */
export function listenToPage(greeting: Message['type'], receive: (message: Message, page: PageLink) => void): void {
  let known: { readonly origin: string; readonly id: string; readonly link: PageLink } | null = null
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (window.parent === window || source !== window.parent || !isEnvelope(data)) return
    if (known === null) {
      if (data.type !== greeting) return
      const { id } = data
      const send = (message: Message): void => {
        const envelope: Envelope = { ...message, source: SOURCE, id }
        window.parent.postMessage(envelope, origin)
      }
      known = { origin, id, link: { origin, send } }
    }
    if (origin === known.origin && data.id === known.id) receive(data, known.link)
  })
}
