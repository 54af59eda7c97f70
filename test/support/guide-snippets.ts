// test/support/guide-snippets.ts — the snippets of the guides, with what the text says about each.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseMarkdown } from '../../docs/site/markdown.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Snippet {
  /** Path of the page and line of the first line of code. */
  readonly at: string
  readonly language: string
  readonly text: string
  /** File name under which the text before it says to save it. */
  readonly savedAs: string | null
  /** Why no test runs it: the comment `<!-- not run: … -->` before it. */
  readonly notRun: string | null
}

/** Paths of the guides, README.md first. */
export const GUIDES: readonly string[] = [
  'README.md',
  ...readdirSync(`${ROOT}docs`)
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

export function snippetsOf(guide: string): readonly Snippet[] {
  const tokens = parseMarkdown(readFileSync(ROOT + guide, 'utf8'))
  let prose = ''
  return tokens.flatMap((token, index) => {
    if (token.type === 'inline') prose = token.content
    if (token.type !== 'fence') return []
    const before = tokens[index - 1]
    const words = prose
    prose = ''
    const comment = before?.type === 'html_block' ? before.content : ''
    return {
      at: `${guide}:${(token.map?.[0] ?? 0) + 2}`,
      language: token.info,
      text: token.content,
      savedAs: /\bsave (?:it|this) as\s+`([\w.-]+)`/i.exec(words)?.[1] ?? null,
      notRun: /^<!-- not run: (.+?) -->/s.exec(comment)?.[1] ?? null,
    }
  })
}
