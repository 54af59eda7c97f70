// web/console/parts/exchange-view.tsx — a request and its answer, ready to be copied as `curl`.
import { curlOf } from '../curl.ts'
import type { Exchange, Gateway } from '../gateway.ts'
import { CopyButton } from './copying.tsx'
import { Text } from './scrolling.tsx'

export interface ExchangeViewProps {
  readonly exchange: Exchange
  readonly gateway: Gateway
  /** Whether its contents are shown at first. */
  readonly open?: boolean
}

export function ExchangeView({ exchange, gateway, open = false }: ExchangeViewProps) {
  const { method, path, body, status, answer } = exchange
  return (
    <details class="exchange" open={open}>
      <summary>
        <code>
          {method} {path.replace(/\?.*/, '')}
        </code>{' '}
        <span class={status >= 200 && status < 400 ? 'good' : 'bad'}>{status === 0 ? 'no answer' : status}</span>
      </summary>
      {body !== undefined && <Json title="Request" value={body} />}
      <Json title="Answer" value={answer} />
      <CopyButton text={() => curlOf(exchange, gateway.credentials, location.origin)}>Copy as curl</CopyButton>
    </details>
  )
}

/** A value as people read it. Nothing for an empty one. */
export function Json({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === null || value === '') return null
  return (
    <>
      <p class="label">{title}</p>
      <Text>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</Text>
    </>
  )
}
