// src/simulator/faults/path-pattern.ts — patterns of addresses: `*` stands for one part of a path, `**` for any number.

import { pathOf } from '../../api/http/request-path.ts'

/** Characters that a token of a pattern stands for: one of a text, or any; `part` excludes the slash. */
interface Token {
  readonly character: string | 'part' | 'path'
  /** Stands for any number of them, also none. */
  readonly repeats: boolean
}

/** Brings a path or pattern into the form that the router sees: area in small letters, single slashes, decoded. */
export function normalised(path: string): string {
  const plain = pathOf(path)
    .replace(/[?#].*$/s, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
  try {
    return decodeURI(plain)
  } catch {
    return plain
  }
}

/** Compiles a normalised pattern. */
export function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*+)/).map(part => {
    if (part.startsWith('**')) return '.*'
    return part === '*' ? '[^/]*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 's')
}

/** Whether an address of an operation, such as `/pac/terminals/{tid}`, can match a normalised pattern. */
export function patternsMeet(pattern: string, address: string): boolean {
  const ours = tokensOf(pattern.split(/(\*+)/).flatMap<string | Token>(part => wildcardIn(part) ?? [...part]))
  // A parameter has at least one character.
  const theirs = tokensOf(
    address.split(/(\{\w+\})/).flatMap<string | Token>(part => (part.startsWith('{') ? [ONE, ANY_PART] : [...part])),
  )
  const seen = new Set<number>()
  function meet(i: number, j: number): boolean {
    const place = i * (theirs.length + 1) + j
    if (seen.has(place)) return false
    seen.add(place)
    const [one, other] = [ours[i], theirs[j]]
    if (one === undefined && other === undefined) return true
    if ((one?.repeats && meet(i + 1, j)) || (other?.repeats && meet(i, j + 1))) return true
    if (one === undefined || other === undefined || !shareCharacter(one.character, other.character)) return false
    // Both have read the same character.
    return meet(one.repeats ? i : i + 1, other.repeats ? j : j + 1)
  }
  return meet(0, 0)
}

const ONE: Token = { character: 'part', repeats: false }
const ANY_PART: Token = { character: 'part', repeats: true }
const ANY_PATH: Token = { character: 'path', repeats: true }

function wildcardIn(part: string): Token | null {
  if (part.startsWith('**')) return ANY_PATH
  return part === '*' ? ANY_PART : null
}

function tokensOf(parts: readonly (string | Token)[]): readonly Token[] {
  return parts.map(part => (typeof part === 'string' ? { character: part, repeats: false } : part))
}

function shareCharacter(one: string, other: string): boolean {
  if (one === 'path' || other === 'path') return true
  if (one === 'part') return other !== '/'
  return other === 'part' ? one !== '/' : one === other
}
