// test/recorded/body.ts — recorded form of an answer's body: JSON, lines of text, or the outline of a page.
import type { Json } from './json.ts'

/** HTML tags in an outline, and their recorded attributes. */
const TAGS = /^(?:form|input|button|iframe|script|link|a|meta|main|body|select|option)$/
const ATTRIBUTES = /^(?:action|method|name|value|type|src|href|target|rel|integrity|sandbox|allow|content|data-[\w-]+)$/

export function bodyOf(text: string, mediaType: string): Json {
  if (text === '') return ''
  if (/\bjson\b/.test(mediaType)) return JSON.parse(text) as Json
  if (/^text\/html/.test(mediaType)) return outlineOf(text)
  const lines = text.split('\n')
  return lines.length === 1 ? text : lines
}

/** Outline of a page without styles: its text, and the tags that link, load or submit. */
function outlineOf(html: string): readonly string[] {
  const bare = html
    .replace(/<(style|svg)\b[\s\S]*?<\/\1>/g, '')
    .replace(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/g, '$1$2')
  return bare
    .split(/(<[^>]+>)/)
    .map(part => (part.startsWith('<') ? tagIn(part) : part.replaceAll(/\s+/g, ' ').trim()))
    .filter(line => line !== '')
}

function tagIn(markup: string): string {
  const name = /^<([a-z]+)/.exec(markup)?.[1] ?? ''
  if (!TAGS.test(name)) return ''
  const attributes = [...markup.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)]
    .filter(([, attribute = '']) => ATTRIBUTES.test(attribute))
    .map(([, attribute, value]) => (value === undefined ? attribute : `${attribute}="${value}"`))
  return attributes.length === 0 ? '' : `<${[name, ...attributes].join(' ')}>`
}
