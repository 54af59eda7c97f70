// src/api/describe/pages/frame-page.ts — renders the documents framed by a merchant's page, with their content security policy.
import type { Headers } from '../../operation.ts'
import { escapeHtml } from './html.ts'
import { type WebEntry, webEntry } from './web-files.ts'

export interface FramePage {
  readonly entry: WebEntry
  readonly title: string
  /** Input of the script, as data attributes of the body. */
  readonly data: Readonly<Record<string, string>>
  /** Shown when scripts are disabled. */
  readonly noScript: string
}

export interface FramePolicy {
  /** Sources for `frame-ancestors`. Empty forbids framing. */
  readonly ancestors: readonly string[]
  /** Origins of the merchant's font style sheets. */
  readonly fontOrigins: readonly string[]
  /** Sources for `frame-src` and `form-action`. */
  readonly frames: readonly string[]
  /** Wallet provider whose script runs in the document. */
  readonly provider?: ProviderPolicy
}

/** Policy sources that the provider's script needs. */
export interface ProviderPolicy {
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly frames: readonly string[]
  readonly images: readonly string[]
}

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

/** Headers of a framed document: own origin only, no inline scripts or styles, framed by the given ancestors only. */
export function frameHeaders({ ancestors, fontOrigins, frames, provider = NOBODY }: FramePolicy): Headers {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...provider.scripts].join(' '),
    ["style-src 'self'", ...fontOrigins].join(' '),
    // A font style sheet may load font files from other hosts.
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
    // The address contains the access token.
    'referrer-policy': 'no-referrer',
    'permissions-policy': `payment=(${['self', ...provider.frames.map(origin => `"${origin}"`)].join(' ')}), camera=(), geolocation=(), microphone=(), usb=()`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  }
}

const NOBODY: ProviderPolicy = { scripts: [], connections: [], frames: [], images: [] }
