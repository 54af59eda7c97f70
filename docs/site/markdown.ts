// docs/site/markdown.ts — turns the Markdown of a page into HTML, headings and sections for the search.
import GithubSlugger from 'github-slugger'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt, { type Token } from 'markdown-it'
import { stateTable } from './state-table.ts'

export interface Heading {
  /** As on GitHub, so that links to it work in both places. */
  readonly id: string
  readonly text: string
}

/** The text below one heading, up to the next. */
export interface Section extends Heading {
  readonly body: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  /** Headings of the second level. */
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** Code: what a screen reader calls it, and the grammar that colours it. */
const LANGUAGES: Readonly<Record<string, { readonly says: string; readonly grammar?: string }>> = {
  '': { says: 'Text' },
  html: { says: 'HTML', grammar: 'xml' },
  js: { says: 'JavaScript', grammar: 'javascript' },
  json: { says: 'JSON', grammar: 'json' },
  sh: { says: 'Shell commands', grammar: 'bash' },
  yaml: { says: 'YAML', grammar: 'yaml' },
}
for (const [name, grammar] of Object.entries({ bash, javascript, json, xml, yaml }))
  hljs.registerLanguage(name, grammar)

/** HTML is allowed, because comments are HTML; `comment` refuses all else. */
const markdown = new MarkdownIt({ html: true })
Object.assign(markdown.renderer.rules, {
  html_block: comment,
  html_inline: comment,
  fence: (tokens: readonly Token[], index: number) => code(tokens[index] as Token),
  table_open: () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n',
  table_close: () => '</table></div>\n',
})

/** Parses a page. Its tokens also tell where its snippets are. */
export function parseMarkdown(text: string): Token[] {
  return markdown.parse(text, {})
}

/**
 * Renders a page.
 * @param addressOf returns the address of what a link or an image names
 * @throws Error for HTML that is no comment, and for code in an unknown language
 */
export function renderMarkdown(text: string, addressOf: (target: string) => string): RenderedPage {
  const tokens = parseMarkdown(text)
  const slugger = new GithubSlugger()
  const headings: (Heading & { readonly tag: string })[] = []
  const bodies: string[][] = []
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    if (token.type === 'inline' && before?.type === 'heading_open') {
      const heading = { id: slugger.slug(textOf(token)), text: textOf(token), tag: before.tag }
      headings.push(heading)
      bodies.push([])
      before.attrSet('id', heading.id)
      if (before.tag !== 'h1') linkTo(token, heading.id)
    } else if (token.type === 'inline') {
      readdress(token, addressOf)
      bodies.at(-1)?.push(textOf(token))
      if (before?.type === 'th_open') head(before, token, tokens[index + 1])
    } else if (token.type === 'fence' && token.info !== 'mermaid') bodies.at(-1)?.push(token.content)
  }
  return {
    title: headings[0]?.text ?? '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ tag }) => tag === 'h2').map(({ id, text: name }) => ({ id, text: name })),
    sections: headings.map(({ id, text: name }, index) => ({
      ...{ id, text: name },
      body: (bodies[index] ?? []).join(' ').replace(/\s+/g, ' ').trim(),
    })),
  }
}

function textOf({ children }: Token): string {
  return (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

/** Makes a heading a link to itself. */
function linkTo(heading: Token, id: string): void {
  const [open, close] =
    markdown.parseInline(`[x](#${id})`, {})[0]?.children?.filter(({ type }) => /^link/.test(type)) ?? []
  if (open === undefined || close === undefined) return
  open.attrSet('class', 'anchor')
  heading.children = [open, ...(heading.children ?? []), close]
}

function readdress({ children }: Token, addressOf: (target: string) => string): void {
  for (const child of children ?? []) {
    const name = child.type === 'image' ? 'src' : 'href'
    const target = child.attrGet(name)
    if (target !== null) child.attrSet(name, addressOf(String(target)))
  }
}

/** A cell of a table's head names its column. One without text is no heading. */
function head(open: Token, { content }: Token, close: Token | undefined): void {
  if (content !== '') return void open.attrSet('scope', 'col')
  open.tag = 'td'
  if (close !== undefined) close.tag = 'td'
}

function comment(tokens: readonly Token[], index: number): string {
  const { content = '' } = tokens[index] ?? {}
  if (/^<!--[\s\S]*-->\s*$/.test(content)) return ''
  throw new Error(`HTML is not allowed in a guide: ${content}`)
}

function code({ info, content }: Token): string {
  if (info === 'mermaid') return stateTable(content)
  const language = LANGUAGES[info]
  if (language === undefined) throw new Error(`Code in a language that is not listed: ${info}`)
  const html =
    language.grammar === undefined
      ? markdown.utils.escapeHtml(content)
      : hljs.highlight(content, { language: language.grammar }).value
  return `<pre tabindex="0" role="group" aria-label="${language.says}"><code>${html}</code></pre>\n`
}
