// src/api/describe/pages/frame-page.ts — documents that stand in a frame on a merchant's page, and what a browser may do in them.
import type { Headers } from '../../operation.ts'
import { escapeHtml } from './html.ts'
import { type WebEntry, webEntry } from './web-files.ts'

export interface FramePage {
  readonly entry: WebEntry
  readonly title: string
  /** Facts for the script, as attributes of the body. */
  readonly data: Readonly<Record<string, string>>
  /** Said where scripts do not run. */
  readonly noScript: string
}

export interface FramePolicy {
  /** Who may hold the document in a frame, as sources of a policy; none: nobody. */
  readonly ancestors: readonly string[]
  /** Origins of style sheets that the merchant wants for fonts. */
  readonly fontOrigins: readonly string[]
  /** Whose pages it may hold itself, and send forms to. */
  readonly frames: readonly string[]
  /** A provider whose script runs in it. */
  readonly provider?: ProviderPolicy
}

/** What the script of a provider needs, as sources of a policy. */
export interface ProviderPolicy {
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly frames: readonly string[]
  readonly images: readonly string[]
}

/** The document. */
export function framePage({ entry, title, data, noScript }: FramePage): Uint8Array {
  const { script, style } = webEntry(entry)
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${style === null ? '' : `<link rel="stylesheet" href="${style}">`}
<script src="${script}" defer></script>
</head>
<body${attributes.join('')}>
<div id="root"></div>
<noscript><p>${escapeHtml(noScript)}</p></noscript>
</body>
</html>
`)
}

/** Nothing from anywhere but here, no script and no style in the document itself, and held by the merchant only. */
export function frameHeaders({ ancestors, fontOrigins, frames, provider = NOBODY }: FramePolicy): Headers {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...provider.scripts].join(' '),
    ["style-src 'self'", ...fontOrigins].join(' '),
    // A style sheet of fonts names files on hosts of its own.
    fontOrigins.length === 0 ? "font-src 'none'" : 'font-src https:',
    ["img-src 'self'", ...provider.images].join(' '),
    ["connect-src 'self'", ...provider.connections].join(' '),
    ["frame-src 'self'", ...frames, ...provider.frames].join(' '),
    ["form-action 'self'", ...frames].join(' '),
    "base-uri 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    // The address bears the access token, which is nobody else's business.
    'referrer-policy': 'no-referrer',
    'permissions-policy': `payment=(${['self', ...provider.frames.map(origin => `"${origin}"`)].join(' ')}), camera=(), geolocation=(), microphone=(), usb=()`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  }
}

const NOBODY: ProviderPolicy = { scripts: [], connections: [], frames: [], images: [] }
