// src/acquirers/iso8583/compose.ts — makes a message of a dialect from the values that there are.
import type { DialectMessage } from './dialect-messages.ts'
import type { FieldValue } from './field-format.ts'
import type { Message } from './message-codec.ts'
import { Refused } from './refused.ts'

/** Values by field. What the dialect sets comes before them. */
export type Values = Readonly<Partial<Record<number, FieldValue>>>

/**
 * The message with its fields.
 * @param mti default: the type of the message; its repetition for repetitions
 * @throws Refused when a field that must be sent has no value
 */
export function composeMessage(message: DialectMessage, values: Values, mti = message.mti): Message {
  const fields: Record<number, FieldValue> = {}
  for (const { oneOf, isOptional } of message.fields) {
    const number = oneOf.find(each => (message.set[each] ?? values[each]) !== undefined)
    if (number !== undefined) fields[number] = message.set[number] ?? values[number] ?? ''
    else if (!isOptional) throw new Refused(oneOf.join(' or '), 'has no value')
  }
  for (const [number, value] of Object.entries(message.set)) fields[Number(number)] = value
  return { mti, fields }
}
