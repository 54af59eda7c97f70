// src/api/versions/accept.ts — which version an Accept header asks for.

/** One media type of an Accept header with its weight. */
interface Choice {
  readonly type: string
  readonly weight: number
}

export type Asked =
  /** Named, known, and the one that the caller likes best; or what is left where the default one is excluded. */
  | { readonly named: string }
  /** The default one will do. */
  | { readonly named: null }
  /** Nothing that exists will do. */
  | 'none'

const CONNECT = /^application\/connect\.([^+]+)\+json$/
const GENERAL: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json'])

/**
 * Reads an Accept header. Of known versions the heaviest wins, of equally heavy ones the first; a general type wins
 * over them only when it is heavier: who writes a version down means it. Weight 0 excludes. RFC 9110 §12.5.1.
 */
export function versionAsked(accept: string | undefined, known: readonly string[], byDefault: string): Asked {
  const choices = choicesIn(accept ?? '')
  if (choices.length === 0) return { named: null }
  const versions = choices.flatMap(({ type, weight }) => {
    const version = CONNECT.exec(type)?.[1]
    return version === undefined || !known.includes(version) ? [] : [{ version, weight }]
  })
  const best = heaviest(versions)
  const general = heaviest(choices.filter(({ type }) => GENERAL.has(type)))
  if (best !== undefined && best.weight >= (general?.weight ?? 0)) return { named: best.version }
  if (general === undefined) return 'none'
  const isExcluded = (version: string) => versions.some(each => each.version === version && each.weight === 0)
  if (!isExcluded(byDefault)) return { named: null }
  const left = known.find(version => !isExcluded(version))
  return left === undefined ? 'none' : { named: left }
}

function choicesIn(accept: string): readonly Choice[] {
  return accept
    .toLowerCase()
    .split(',')
    .map(choice => {
      const [type = '', ...parameters] = choice.split(';').map(part => part.trim())
      return { type, weight: weightOf(parameters) }
    })
    .filter(({ type }) => type !== '')
}

/** `q=0.5`; 1 when it is missing or makes no sense. */
function weightOf(parameters: readonly string[]): number {
  const q = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
  return q !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 1
}

/** The first of the heaviest; undefined when all are excluded. */
function heaviest<C extends { readonly weight: number }>(choices: readonly C[]): C | undefined {
  let best: C | undefined
  for (const choice of choices) if (choice.weight > (best?.weight ?? 0)) best = choice
  return best
}
