// src/api/pages/framed.ts — pages that stand in a frame on somebody else's page, on the way through 3-D Secure. Their
// scripts are few and known by their hashes; what differs stands in the body's data attribute.
import { hash } from 'node:crypto'
import type { Answer } from '../operation.ts'
import { escapeHtml, HTML_TYPE } from './html.ts'

/** Sends every form of the page as soon as it is there. */
export const SEND_FORMS = 'for (const form of document.forms) form.submit()'

/** Tells the page around it what came out. */
export const TELL_PARENT =
  'const message = JSON.parse(document.body.dataset.message);' +
  'for (const target of new Set([window.parent, window.opener])) if (target && target !== window) target.postMessage(message, "*")'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:24rem;padding:0 1rem}' +
  'input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin:.25rem 0}' +
  '[role=alert]{color:#b00020}'

interface FramedPage {
  readonly title: string
  /** HTML. */
  readonly body: string
  /** One of the scripts of this file, or none. */
  readonly script?: typeof SEND_FORMS | typeof TELL_PARENT
  /** For the script. */
  readonly message?: unknown
  /** False: no page may put it in a frame. */
  readonly framed?: boolean
}

/** The answer with such a page. */
export function framedPage({ title, body, script, message, framed = true }: FramedPage): Answer {
  const data = message === undefined ? '' : ` data-message="${escapeHtml(JSON.stringify(message))}"`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${STYLE}</style>
</head>
<body${data}>
${body}
${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    "base-uri 'none'",
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ].join('; ')
  return {
    status: 200,
    bytes: Buffer.from(html),
    mediaType: HTML_TYPE,
    headers: {
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      ...(framed ? {} : { 'x-frame-options': 'DENY' }),
    },
  }
}

/** A form whose fields are not seen. */
export function hiddenForm(action: string, fields: Readonly<Record<string, string>>, target?: string): string {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
  const where = target === undefined ? '' : ` target="${escapeHtml(target)}"`
  return `<form method="post" action="${escapeHtml(action)}"${where}>${inputs}</form>`
}

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`
}
