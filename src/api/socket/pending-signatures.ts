// src/api/socket/pending-signatures.ts — the open signature requests of a connection, matched with replies.
import { type Envelope, LARGEST_ID } from './envelope.ts'
import type { SignatureRequest } from './method.ts'

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

export interface PendingSignatures {
  /** Whether a request waits for its reply. */
  readonly isOpen: boolean
  /** Opens a request. The reply must have its id. */
  open(answered: (accepted: boolean) => void): SignatureRequest & { readonly id: number }
  /** Handles a reply. False when it belongs to an open request but has no valid decision. */
  reply(reply: ReplyEnvelope): boolean
}

/**
 * Ids begin at 1. A reply with an unknown id belongs to the only open request, because some tills reply with the id of
 * their sale, which is always 1.
 */
export function createPendingSignatures(): PendingSignatures {
  const open = new Map<number, (accepted: boolean) => void>()
  let last = 0

  function nextId(): number {
    do last = last === LARGEST_ID ? 1 : last + 1
    while (open.has(last))
    return last
  }

  return {
    get isOpen() {
      return open.size > 0
    },
    open(answered) {
      const id = nextId()
      open.set(id, answered)
      return { id, withdraw: () => void (open.get(id) === answered && open.delete(id)) }
    },
    reply({ id, reply }) {
      const accepted = 'error' in reply ? null : acceptedIn(reply.result)
      const [only] = open.size === 1 ? open.keys() : []
      const meant = open.has(id) ? id : accepted === null ? undefined : only
      const answered = meant === undefined ? undefined : open.get(meant)
      // The reply is late, or belongs to no request.
      if (meant === undefined || answered === undefined) return true
      if (accepted === null) return false
      open.delete(meant)
      answered(accepted)
      return true
    },
  }
}

/** Reads the decision, whatever other members the result has: the customer is waiting. */
function acceptedIn(result: unknown): boolean | null {
  if (typeof result !== 'object' || result === null || !('accepted' in result)) return null
  return typeof result.accepted === 'boolean' ? result.accepted : null
}
