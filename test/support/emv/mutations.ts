// test/support/emv/mutations.ts — damages messages at random, from a seed.
import type { SeededRandom } from '../seeded-random.ts'

/** What is put in the place of a value. */
const VALUES: readonly unknown[] = [
  ...[null, '', [], {}, true, false, 0, -1, 1e300, '0', 'Y', 'Z', '01', '99', ' ', '\u0000', '\ud800', '💳'.repeat(20)],
  ...['9'.repeat(49), 'A'.repeat(3000), '20260231', '__proto__', 'https://', 'javascript:alert(1)', 'https://a@b/'],
  ...[[[[[]]]], { a: { b: { c: null } } }, ['Y', 'Y'], [null], [{}], { __proto__: 1 }],
]
const CHARACTERS = '{}[]",:\\0159aeE+-. \n\u0000"'

/** Changes, adds or removes a member or two at any depth, and sometimes characters of the text itself. */
export function mutated(message: Readonly<Record<string, unknown>>, random: SeededRandom): string {
  const copy = structuredClone(message) as Record<string, unknown>
  for (let times = 1 + random.integer(2); times > 0; times -= 1) mutate(copy, random)
  let text = JSON.stringify(copy)
  if (random.integer(4) === 0) for (let times = 1 + random.integer(4); times > 0; times -= 1) text = cut(text, random)
  return text
}

function mutate(object: Record<string, unknown>, random: SeededRandom): void {
  const names = Object.keys(object)
  const name = names[random.integer(names.length)] ?? 'a'
  const value = object[name]
  if (typeof value === 'object' && value !== null && random.integer(3) > 0) {
    mutate(value as Record<string, unknown>, random)
    return
  }
  const way = random.integer(6)
  if (way === 0) delete object[name]
  else if (way === 5) object[`x${random.integer(9)}`] = aValue(random)
  else if (way === 1 && typeof value === 'string') object[name] = cut(value, random)
  else if (way === 2) object[names[random.integer(names.length)] ?? 'a'] = value
  else object[name] = aValue(random)
}

/** A copy: what is put into a message may be damaged further. */
function aValue(random: SeededRandom): unknown {
  return structuredClone(VALUES[random.integer(VALUES.length)])
}

/** Replaces, inserts or removes a few characters. */
function cut(text: string, random: SeededRandom): string {
  const at = random.integer(text.length + 1)
  const inserted = Array.from({ length: random.integer(3) }, () => CHARACTERS[random.integer(CHARACTERS.length)]).join(
    '',
  )
  return text.slice(0, at) + inserted + text.slice(at + random.integer(4))
}
