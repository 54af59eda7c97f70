// src/acquirers/iso8583/message-type.ts — what the four digits of a message type say.

const VERSIONS: Readonly<Record<string, string>> = { 0: '1987', 1: '1993', 2: '2003', 9: 'private' }
const CLASSES: Readonly<Record<string, string>> = {
  1: 'authorisation',
  2: 'financial',
  3: 'file action',
  4: 'reversal',
  5: 'reconciliation',
  6: 'administrative',
  7: 'fee collection',
  8: 'network management',
}
const FUNCTIONS: Readonly<Record<string, string>> = {
  0: 'request',
  1: 'response',
  2: 'advice',
  3: 'advice response',
  4: 'notification',
  5: 'notification acknowledgement',
}
const ORIGINS: Readonly<Record<string, string>> = {
  0: 'acquirer',
  1: 'acquirer, repeat',
  2: 'issuer',
  3: 'issuer, repeat',
  4: 'other',
  5: 'other, repeat',
}

/** A message type in words: `financial request (acquirer, repeat), 1987`. */
export function messageTypeText(mti: string): string {
  const [version = '', kind = '', action = '', origin = ''] = mti
  const words = [CLASSES[kind], FUNCTIONS[action], ORIGINS[origin], VERSIONS[version]].map(word => word ?? 'unknown')
  return `${words[0]} ${words[1]} (${words[2]}), ${words[3]}`
}

/** The type that answers a request or an advice, also a repeated one. Null for a type that has no answer. */
export function answerTypeOf(mti: string): string | null {
  const action = Number(mti.charAt(2))
  if (action !== 0 && action !== 2) return null
  const origin = Number(mti.charAt(3))
  return `${mti.slice(0, 2)}${action + 1}${origin - (origin % 2)}`
}

/** The type of a repetition, which says that the host may have seen the message: `0420` becomes `0421`. */
export function repeatTypeOf(mti: string): string {
  const origin = Number(mti.charAt(3))
  return `${mti.slice(0, 3)}${origin - (origin % 2) + 1}`
}
