// src/api/versions/accept.ts — selects the API version by an Accept header.

/** One media type of an Accept header with its weight. */
interface Choice {
  readonly type: string
  readonly weight: number
}

export type RequestedVersion =
  /** The preferred version among the named ones; or the newest accepted one when the default is excluded. */
  | { readonly named: string }
  /** The default version is acceptable. */
  | { readonly named: null }
  /** No existing version is acceptable. */
  | 'none'

const CONNECT = /^application\/connect\.([^+]+)\+json$/
const GENERAL: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json'])

/**
 * Reads an Accept header. The known version with the highest weight wins, of equal weights the first. A general type wins
 * only with a higher weight than every named version. Weight 0 excludes. RFC 9110 §12.5.1.
 */
export function requestedVersion(
  accept: string | undefined,
  known: readonly string[],
  byDefault: string,
): RequestedVersion {
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

/** Reads a weight such as `q=0.5`. 1 when it is missing or invalid. */
function weightOf(parameters: readonly string[]): number {
  const q = parameters.find(parameter => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
  return q !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 1
}

/** Returns the first choice with the highest weight. Undefined when all are excluded. */
function heaviest<C extends { readonly weight: number }>(choices: readonly C[]): C | undefined {
  let best: C | undefined
  for (const choice of choices) if (choice.weight > (best?.weight ?? 0)) best = choice
  return best
}
