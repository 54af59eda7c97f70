// src/acquirers/iso8583/reconciliation/asking.ts — sends a message of a reconciliation until the host answers it.
import { composeMessage, type Values } from '../compose.ts'
import type { HostConnection } from '../connection/host-connection.ts'
import type { Dialect } from '../dialect.ts'
import type { DialectMessage } from '../dialect-messages.ts'
import type { UnpackedMessage } from '../message-codec.ts'

/** Sendings of one message, where the dialect has a repetition. */
const MOST_TRIES = 3

export interface AskingParts {
  readonly dialect: Dialect
  readonly connection: HostConnection
}

/** Returns the answer, or null without one. @throws Refused when a field that must be sent has no value */
export async function askHost(
  { dialect, connection }: AskingParts,
  message: DialectMessage,
  values: Values,
): Promise<UnpackedMessage | null> {
  const { timers } = dialect.document
  const tries = message.repeat === null ? 1 : MOST_TRIES
  for (let sent = 0; sent < tries; sent += 1) {
    const mti = sent === 0 ? message.mti : (message.repeat ?? message.mti)
    const made = composeMessage(message, values, mti)
    const slot = await connection.acquire(timers.connectMs)
    if (slot === null) continue
    const outcome = await slot.send(made, { limitMs: timers.answerMs })
    if (outcome.outcome === 'answered') return outcome.answer
  }
  return null
}
