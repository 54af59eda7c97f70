// src/three-d-secure/emv/strict-json.ts — reads JSON and finds members that are given twice, which JSON.parse hides.

/** Objects and lists inside each other. A message needs six; extensions carry JSON of their own. */
const DEEPEST = 32

/** Strings, also one without an end, and what structures the text around them. Each place is looked at once. */
const TOKENS = /"(?:[^"\\]|\\.|\\$)*(?:"|$)|[{}[\],:]/gs

export type StrictJson =
  | { readonly value: unknown; readonly duplicates: readonly string[] }
  | { readonly problem: 'not_json' | 'too_deep' }

/**
 * Parses JSON. `duplicates` has the names that an object repeats, compared after their escapes are decoded.
 * JSON.parse decides what JSON is, so the search for names reads well-formed text only. It takes seconds for a text that
 * only opens lists, so the depth is measured before.
 */
export function parseStrictly(text: string): StrictJson {
  if (isTooDeep(text)) return { problem: 'too_deep' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The error quotes the text, which may hold a card number.
    return { problem: 'not_json' }
  }
  return { value, duplicates: duplicatesIn(text) }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

function duplicatesIn(text: string): readonly string[] {
  /** Names of the objects that are open; null for a list. */
  const open: (Set<string> | null)[] = []
  const duplicates: string[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') note(nameOf(last), open.at(-1), duplicates)
    last = token
  }
  return duplicates
}

function note(name: string, names: Set<string> | null | undefined, duplicates: string[]): void {
  if (names?.has(name)) duplicates.push(name)
  names?.add(name)
}

function nameOf(quoted: string): string {
  return JSON.parse(quoted) as string
}
