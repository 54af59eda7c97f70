// src/acquirers/iso8583/reconciliation/uploads.ts — sends the host each order of a batch that differs (0320), so that it can take ours. ADR 91.
import type { EffectId, MerchantAccountId } from '../../../domain/ids.ts'
import type { Vault } from '../../../engine/ports/vault.ts'
import type { Values } from '../compose.ts'
import type { DialectMessage } from '../dialect-messages.ts'
import type { OrderNote } from '../orders/journal.ts'
import type { Numbers } from '../orders/numbers.ts'
import { identityOf } from '../orders/order-parts.ts'
import { likeOriginal } from '../orders/order-values.ts'
import { codeOf, isApproval } from '../orders/reading-answers.ts'
import { repeatedValues } from '../orders/repeated-values.ts'
import { Refused } from '../refused.ts'
import { type AskingParts, askHost } from './asking.ts'
import type { Batch } from './batches.ts'

export interface UploadParts extends AskingParts {
  readonly numbers: Numbers
  readonly vault: Pick<Vault, 'openText'>
  readonly settingsOf: (account: MerchantAccountId) => Values
}

/** An order that the host did not take. */
export interface NotUploaded {
  readonly orderId: EffectId
  readonly why: string
}

export interface Upload {
  /** Number of orders that the host has taken. */
  readonly uploaded: number
  readonly notUploaded: readonly NotUploaded[]
}

/**
 * Uploads what stands of a batch: what was undone is in it no more. Each order goes with its own number and time, so a
 * second upload is known to the host. It ends with the first order without an answer: the others would have none either.
 */
export async function uploadBatch(parts: UploadParts, message: DialectMessage, { orders }: Batch): Promise<Upload> {
  const standing = orders.map(({ note }) => note).filter(({ phase }) => phase === 'approved')
  const notUploaded: NotUploaded[] = []
  for (const [index, note] of standing.entries()) {
    const { orderId } = note
    const why = await uploadOrder(parts, message, note)
    if (why === null) continue
    notUploaded.push({ orderId, why })
    if (why === NO_ANSWER) {
      notUploaded.push(...standing.slice(index + 1).map(rest => ({ orderId: rest.orderId, why: 'not sent' })))
      break
    }
  }
  return { uploaded: standing.length - notUploaded.length, notUploaded }
}

const NO_ANSWER = 'no answer'

/** Null when the host has taken it; otherwise why not. */
async function uploadOrder(parts: UploadParts, message: DialectMessage, note: OrderNote): Promise<string | null> {
  const { dialect, numbers, settingsOf } = parts
  // An order notes only the settings that it was sent with.
  const values = { ...settingsOf(note.account), ...(await repeatedValues(parts, note)) }
  const stan = message.stan === 'same' ? note.sent?.fields[11] : await numbers.stan(identityOf(dialect, values))
  const reference = note.answer?.answer === 'approved' ? note.answer.reference : ''
  const named = { ...(reference === '' ? {} : { 37: reference }), 11: stan ?? '' }
  const sendsCard = message.fields.some(({ oneOf, isOptional }) => !isOptional && oneOf.includes(2))
  if (sendsCard && values[2] === undefined) return 'its card is kept no longer (keepDays)'
  try {
    const answer = await askHost(parts, likeOriginal(message, note), { ...values, ...named })
    if (answer === null) return NO_ANSWER
    return isApproval(dialect, answer) ? null : `code ${codeOf(answer)}`
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}
