// src/api/socket/pending-signatures.ts — what a till was asked on one connection, and to which question a reply belongs. Terminal
// socket reference 2.2 and 5.8.
import { type Envelope, LARGEST_ID } from './envelope.ts'
import type { SignatureQuestion } from './method.ts'

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

export interface PendingSignatures {
  /** Opens a question. Its number is what the reply must bear. */
  open(answered: (accepted: boolean) => void): SignatureQuestion & { readonly id: number }
  /** Takes a reply in. False: it belongs to a question and does not answer it. */
  reply(reply: ReplyEnvelope): boolean
}

/**
 * Our numbers begin at 1, and a reply under a number that nobody knows belongs to the one question that is open: there
 * are tills that answer with the number of their sale, which is always 1.
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
      // Late, or to nothing that was asked.
      if (meant === undefined || answered === undefined) return true
      if (accepted === null) return false
      open.delete(meant)
      answered(accepted)
      return true
    },
  }
}

/** A decision that can be read is obeyed, whatever stands beside it: the customer is waiting. */
function acceptedIn(result: unknown): boolean | null {
  if (typeof result !== 'object' || result === null || !('accepted' in result)) return null
  return typeof result.accepted === 'boolean' ? result.accepted : null
}
