// web/console/parts/exchange-view.tsx — a request and its answer, ready to be copied as `curl`.
import { useState } from 'preact/hooks'
import { curlOf } from '../curl.ts'
import type { Exchange, Gateway } from '../gateway.ts'
import { Text } from './scrolling.tsx'

/** How long a button says that it has copied, in milliseconds. */
const COPIED_MS = 2_000

export function ExchangeView({ exchange, gateway }: { readonly exchange: Exchange; readonly gateway: Gateway }) {
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  const { method, path, body, status, answer } = exchange
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curlOf(exchange, gateway.credentials, location.origin))
      setCopied('yes')
    } catch {
      // Without HTTPS a browser gives no clipboard, except on this machine.
      setCopied('no')
    }
    setTimeout(() => setCopied(null), COPIED_MS)
  }
  return (
    <details class="exchange">
      <summary>
        <code>
          {method} {path.replace(/\?.*/, '')}
        </code>{' '}
        <span class={status >= 200 && status < 400 ? 'good' : 'bad'}>{status === 0 ? 'no answer' : status}</span>
      </summary>
      {body !== undefined && <Json title="Request" value={body} />}
      <Json title="Answer" value={answer} />
      <button type="button" onClick={() => void copy()}>
        Copy as curl
      </button>
      <span role="status">
        {copied === 'yes' && ' Copied.'}
        {copied === 'no' && ' This browser does not let the page copy here; select the text instead.'}
      </span>
    </details>
  )
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === null || value === '') return null
  return (
    <>
      <h4>{title}</h4>
      <Text>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</Text>
    </>
  )
}
