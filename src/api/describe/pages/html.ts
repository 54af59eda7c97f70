// src/api/describe/pages/html.ts — the HTML skeleton of all pages, with their security headers.
import type { Headers } from '../../operation.ts'

/** Own origin only. No frames, no forms, no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI has its icons in data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page. */
export const PAGE_HEADERS: Headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

export const HTML_TYPE = 'text/html; charset=utf-8'

/** Escapes text for use between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Escapes a sentence for use between tags. What is in backticks becomes code. */
export function escapeProse(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** Renders a page. `head` and `body` are HTML. */
export function page({
  title,
  head,
  body,
}: {
  readonly title: string
  readonly head: string
  readonly body: string
}): Uint8Array {
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${head}
</head>
<body>
${body}
</body>
</html>
`)
}
