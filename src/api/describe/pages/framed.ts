// src/api/describe/pages/framed.ts — renders the framed pages of 3-D Secure.
// The policy allows their two scripts by hash, so variable data goes into a data attribute of the body.
import { hash } from 'node:crypto'
import type { Answer } from '../../operation.ts'
import { escapeHtml, HTML_TYPE } from './html.ts'

/** Script: submits all forms of the page on load. */
export const SEND_FORMS = 'for (const form of document.forms) form.submit()'

/** Script: posts the message to the parent window and the opener. */
export const SEND_TO_PARENT =
  'const message = JSON.parse(document.body.dataset.message);' +
  'for (const target of new Set([window.parent, window.opener])) if (target && target !== window) target.postMessage(message, "*")'

/** How long an issuer may take for device data, in milliseconds: EMV 3DS. */
const DEVICE_DATA_MS = 10_000

/** Script: submits all forms of the page, and tells its parent when a page within has sent the same message, or has taken too long. */
export const SEND_AND_WAIT =
  'const message = JSON.parse(document.body.dataset.message);' +
  'const end = () => window.parent.postMessage(message, "*");' +
  `setTimeout(end, ${DEVICE_DATA_MS});` +
  'addEventListener("message", ({ data }) => { if (data && data.deviceData === message.deviceData) end() });' +
  SEND_FORMS

/** Script: posts the message to all windows around this one: issuers may put frames of their own between. */
export const SEND_UPWARDS =
  'const message = JSON.parse(document.body.dataset.message);' +
  'for (let at = window; at !== at.parent; ) { at = at.parent; at.postMessage(message, "*") }'

/** Readable in the smallest of the five challenge window sizes of EMV 3DS (250 by 400 pixels). */
const STYLE = `:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:#1b2733;font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body>p{margin:2rem 1.25rem;text-align:center}
.bank{display:flex;margin:0 -1.25rem 1rem;align-items:center;gap:.6rem;padding:.7rem 1.25rem;background:#123a63;color:#fff;font-weight:600}
.bank svg{width:1.6rem;height:1.6rem;flex:none;fill:#fff}
.bank small{margin-inline-start:auto;padding:.1rem .5rem;border:1px solid #b9cde2;border-radius:1rem;font-weight:500}
main{max-width:36rem;margin:0 auto;padding:0 1.25rem 1.25rem}
h1{margin:0 0 .75rem;font-size:1.2rem;line-height:1.25}
dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem;margin:0 0 .9rem;padding:.7rem .9rem;background:#f1f5f9;border-radius:.5rem}
dt{color:#4b5b6b}
dd{margin:0;text-align:end;font-weight:600;overflow-wrap:anywhere}
p{margin:0 0 .75rem}
label{display:block;margin:0 0 .3rem;font-weight:600}
input{width:100%;min-height:2.9rem;padding:.5rem .8rem;border:1px solid #77879a;border-radius:.4rem;background:#fff;color:inherit;font:inherit;letter-spacing:.15em}
input[aria-invalid=true]{border-color:#b00020}
.hint{color:#4b5b6b;font-size:.9rem;margin-top:.4rem}
button{width:100%;min-height:2.9rem;margin:0 0 .5rem;border:1px solid #123a63;border-radius:.4rem;background:#fff;color:#123a63;font:inherit;font-weight:600;cursor:pointer}
button.first{background:#123a63;color:#fff}
.row{display:flex;flex-wrap:wrap;gap:.5rem}
.row button{flex:1 1 9rem;margin:0}
button:hover{filter:brightness(.94)}
:is(input,button):focus-visible{outline:3px solid #e39b00;outline-offset:2px}
[role=alert]{padding:.6rem .8rem;border-inline-start:4px solid #b00020;background:#fdecee;color:#8c0019}
[role=status]{color:#1b5e3c}
@media (max-width:22rem){main{padding:0 .9rem .75rem}.bank{margin:0 -.9rem .75rem}h1{font-size:1.05rem}}`

interface FramedPage {
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly script?: typeof SEND_FORMS | typeof SEND_TO_PARENT | typeof SEND_AND_WAIT | typeof SEND_UPWARDS
  /** Input of the script. */
  readonly message?: unknown
  /** The only origin to which its forms may be posted. Default: any. */
  readonly formOrigin?: string
  /** Origins of its frames. Default: none. */
  readonly frameOrigins?: readonly string[]
  /** False forbids framing. Default true. */
  readonly framed?: boolean
}

export function framedPage({
  title,
  body,
  script,
  message,
  formOrigin,
  frameOrigins = [],
  framed = true,
}: FramedPage): Answer {
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
    ...(frameOrigins.length === 0 ? [] : [`frame-src ${frameOrigins.join(' ')}`]),
    ...(formOrigin === undefined ? [] : [`form-action ${formOrigin}`]),
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

/** HTML of a form with hidden fields. */
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
