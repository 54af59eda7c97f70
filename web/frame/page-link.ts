// web/frame/page-link.ts — our side of the talk with the merchant's page. The first page that greets us is the one we talk to:
// the frame that holds us, by the origin it has then.
import { type Envelope, isEnvelope, type Message, SOURCE } from '../protocol.ts'

export interface PageLink {
  /** Of the page that holds us. */
  readonly origin: string
  tell(message: Message): void
}

/** Listens. `hear` is not called before somebody has greeted us. */
export function listenToPage(greeting: Message['type'], hear: (message: Message, page: PageLink) => void): void {
  let known: { readonly origin: string; readonly id: string; readonly link: PageLink } | null = null
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (window.parent === window || source !== window.parent || !isEnvelope(data)) return
    if (known === null) {
      if (data.type !== greeting) return
      const { id } = data
      const tell = (message: Message): void => {
        const envelope: Envelope = { ...message, source: SOURCE, id }
        window.parent.postMessage(envelope, origin)
      }
      known = { origin, id, link: { origin, tell } }
    }
    if (origin === known.origin && data.id === known.id) hear(data, known.link)
  })
}
