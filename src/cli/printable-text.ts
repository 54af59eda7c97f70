// src/cli/printable-text.ts — text of others, made safe for a terminal.

/** Replaces control characters, which could move the cursor or hide text, and all else that has no form. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '�')
}
