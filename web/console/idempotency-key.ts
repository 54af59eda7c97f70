// web/console/idempotency-key.ts — makes keys with which the gateway does a request once, however often it arrives.

const LETTERS = 'abcdefghijklmnop'

/**
 * A key that no other request has, of letters alone: digits could look like a card number, which the gateway refuses. Browsers need one as
 * much as tills: when a connection breaks before the answer, they send a POST again by themselves.
 */
export function freshKey(): string {
  // `randomUUID` exists in secure contexts only.
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  return `console-${bytes.map(byte => `${LETTERS[byte >> 4]}${LETTERS[byte & 15]}`).join('')}`
}
