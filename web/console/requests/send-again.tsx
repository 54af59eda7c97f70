// web/console/requests/send-again.tsx — sends a recorded request again, after it has said what will happen.
import { useState } from 'preact/hooks'
import type { Exchange, Gateway } from '../gateway.ts'
import { freshKey } from '../idempotency-key.ts'
import { ExchangeView } from '../parts/exchange-view.tsx'
import { Modal } from '../parts/modal.tsx'
import { consequenceOf, type RecordedRequest, type Repetition, repetitionOf } from './recorded-request.ts'

export interface SendAgainProps {
  readonly gateway: Gateway
  readonly request: RecordedRequest
  readonly onClose: () => void
}

type Fields = Readonly<Record<string, unknown>>

export function SendAgain({ gateway, request, onClose }: SendAgainProps) {
  const repetition = repetitionOf(request)
  if (repetition === null) return null
  return (
    <Modal title="Send again" onClose={onClose}>
      {close => <Sending gateway={gateway} request={request} repetition={repetition} close={close} />}
    </Modal>
  )
}

interface SendingProps extends Omit<SendAgainProps, 'onClose'> {
  readonly repetition: Repetition
  readonly close: () => void
}

function Sending({ gateway, request, repetition: { method, path, body }, close }: SendingProps) {
  const [text, setText] = useState(body === undefined ? '' : JSON.stringify(body, null, 2))
  const [exchange, setExchange] = useState<Exchange | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isChange = method !== 'GET'
  const read = fieldsIn(text)
  const send = async () => {
    if (read === null) return
    setBusy(true)
    const answered = isChange
      ? await gateway.send(method as 'POST', path, read === '' ? undefined : read, {
          headers: { 'idempotency-key': freshKey() },
        })
      : await gateway.get(path)
    setBusy(false)
    setExchange(answered.exchange)
  }
  return (
    <>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      <p>
        {isChange
          ? consequenceOf(request, read === null || read === '' ? undefined : read)
          : 'It reads, and changes nothing.'}
        {isChange && ' It is sent with the key of this account, and with an Idempotency-Key of its own.'}
      </p>
      {isChange && (
        <label>
          Body
          <textarea
            value={text}
            spellcheck={false}
            aria-invalid={read === null}
            onInput={event => setText(event.currentTarget.value)}
          />
          {read === null && <span class="bad">This is no JSON object.</span>}
        </label>
      )}
      <div role="status">
        {exchange !== null && (
          <ExchangeView key={JSON.stringify(exchange.body)} exchange={exchange} gateway={gateway} open />
        )}
      </div>
      <p class="choices">
        <button type="button" onClick={close}>
          Close
        </button>
        <button type="button" class="main" disabled={isBusy || read === null} onClick={() => void send()}>
          {exchange === null ? 'Send' : 'Send once more'}
        </button>
      </p>
    </>
  )
}

/** The JSON object in a text; empty for no body, null when it is none. */
function fieldsIn(text: string): Fields | '' | null {
  if (text.trim() === '') return ''
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}
