// src/api/versions/accept.ts — which version an Accept header asks for.

/** One media type of an Accept header with its weight. */
interface Choice {
  readonly type: string
  readonly weight: number
}

export type Asked =
  /** Named, known, and the one that the caller likes best. */
  | { readonly named: string }
  /** No version is named, or a named one that does not exist stands beside something general. */
  | { readonly named: null }
  /** Only versions are named that do not exist. */
  | 'unknown'

const CONNECT = /^application\/connect\.([^+]+)\+json$/
const GENERAL: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json'])

/**
 * Reads an Accept header. Of known versions the heaviest wins, of equally heavy ones the first; a general type wins
 * over them only when it is heavier: who writes a version down means it. Types of other kinds are nobody's choice here
 * and are passed over, because a till that asks for `text/plain` still wants its answer.
 */
export function versionAsked(accept: string | undefined, known: readonly string[]): Asked {
  const choices = choicesIn(accept ?? '')
  const versions = choices.flatMap(({ type, weight }) => {
    const version = CONNECT.exec(type)?.[1]
    return version === undefined ? [] : [{ version, weight }]
  })
  const best = heaviest(versions.filter(({ version }) => known.includes(version)))
  const general = heaviest(choices.filter(({ type }) => GENERAL.has(type)))
  if (best !== undefined && best.weight >= (general?.weight ?? 0)) return { named: best.version }
  return versions.length === 0 || general !== undefined ? { named: null } : 'unknown'
}

function choicesIn(accept: string): readonly Choice[] {
  return accept
    .toLowerCase()
    .split(',')
    .map(choice => {
      const [type = '', ...parameters] = choice.split(';').map(part => part.trim())
      return { type, weight: weightOf(parameters) }
    })
    .filter(({ type, weight }) => type !== '' && weight > 0)
}

/** `q=0.5`; 1 when it is missing or makes no sense. */
function weightOf(parameters: readonly string[]): number {
  const q = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
  return q !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 1
}

function heaviest<C extends { readonly weight: number }>(choices: readonly C[]): C | undefined {
  let best: C | undefined
  for (const choice of choices) if (best === undefined || choice.weight > best.weight) best = choice
  return best
}
