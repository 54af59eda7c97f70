// web/console/requests/request-view.tsx — one recorded request: a line in the list, and all that is known of it.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { Json } from '../parts/exchange-view.tsx'
import { shortTime } from '../parts/time.ts'
import { addressIn, commandOf, isFailed, isRedacted, type RecordedRequest, whyNotAgain } from './recorded-request.ts'
import { SendAgain } from './send-again.tsx'

export interface RequestViewProps {
  readonly gateway: Gateway
  readonly request: RecordedRequest
}

export function RequestView({ gateway, request }: RequestViewProps) {
  const [isOpen, setOpen] = useState(false)
  const { lastAt, status, code, times, durationMs } = request
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <time class="quiet" dateTime={lastAt} title={new Date(lastAt).toLocaleString()}>
          {shortTime(lastAt, Date.now())}
        </time>
        <code class="route">{addressIn(request)}</code>
        <span class={`outcome ${isFailed(request) ? 'bad' : 'good'}`}>
          {status ?? 'no answer'}
          {code !== null && ` ${code}`}
        </span>
        <span class="quiet took">
          {times > 1 && `${times} times, `}
          {durationMs === null ? '' : `${durationMs} ms`}
        </span>
      </summary>
      {/* Long lists stay light: what is closed is not there. */}
      {isOpen && <Details gateway={gateway} request={request} />}
    </details>
  )
}

function Details({ gateway, request }: RequestViewProps) {
  const [isSending, setSending] = useState(false)
  const why = whyNotAgain(request)
  const command = commandOf(request, gateway.credentials, location.origin)
  return (
    <div class="inside">
      <Facts request={request} />
      <Json title="Parameters" value={Object.keys(request.params).length === 0 ? null : request.params} />
      <Json title="Body" value={request.body} />
      {isRedacted(request) && <p class="quiet">Secrets are not recorded. Fill them in before you send it again.</p>}
      <p class="actions">
        {command !== null && <CopyButton text={() => command}>Copy as curl</CopyButton>}
        {why === null && (
          <button type="button" onClick={() => setSending(true)}>
            Send again…
          </button>
        )}
        {why !== null && <span class="quiet">{why}</span>}
      </p>
      {isSending && <SendAgain gateway={gateway} request={request} onClose={() => setSending(false)} />}
    </div>
  )
}

function Facts({ request }: { readonly request: RecordedRequest }) {
  const { operation, apiVersion, transport, requestId, rpcId, at, times, code, field, body } = request
  return (
    <dl class="facts">
      <dt>Operation</dt>
      <dd>
        <code>{operation}</code> over {transport === 'http' ? 'HTTP' : 'a WebSocket'}
        {apiVersion !== null && `, version ${apiVersion}`}
      </dd>
      {code !== null && (
        <>
          <dt>Refused</dt>
          <dd>
            <code>{code}</code>
            {field !== null && (
              <>
                , because of <code>{field}</code>
              </>
            )}
            . <a href="/docs/guides/errors">What errors mean</a>
          </dd>
        </>
      )}
      {requestId !== null && (
        <>
          <dt>X-Request-Id</dt>
          <dd>
            <code>{requestId}</code>
          </dd>
        </>
      )}
      {rpcId !== null && (
        <>
          <dt>JSON-RPC id</dt>
          <dd>{rpcId}</dd>
        </>
      )}
      {times > 1 && (
        <>
          <dt>First of {times}</dt>
          <dd>{new Date(at).toLocaleString()}</dd>
        </>
      )}
      <dt>Not recorded</dt>
      <dd class="quiet">
        other headers, the answer, unknown fields and invalid values
        {body === null && ', bodies that are long or no JSON'}
      </dd>
    </dl>
  )
}
