// web/console/online/webhooks-view.tsx — the webhooks of the account, newest first, as they are sent.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { LiveList } from '../parts/live-list-view.tsx'
import { queryOf, useLivePages } from '../parts/live-pages.ts'
import { DELIVERIES, Deliveries, PROGRESS } from './webhook-delivery.tsx'

export function WebhooksView({ gateway }: { readonly gateway: Gateway }) {
  const [status, setStatus] = useState('')
  const [orderId, setOrderId] = useState('')
  const [typed, setTyped] = useState('')
  const list = useLivePages(gateway, DELIVERIES, queryOf({ status, orderId }))
  const filters = (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        setOrderId(typed.trim())
      }}
    >
      <label>
        Progress
        <select value={status} onChange={event => setStatus(event.currentTarget.value)}>
          <option value="">Any</option>
          {Object.entries(PROGRESS).map(([progress, { name }]) => (
            <option key={progress} value={progress}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Order
        <input value={typed} maxLength={50} onInput={event => setTyped(event.currentTarget.value)} />
      </label>
      <button type="submit">Search</button>
    </form>
  )
  const empty =
    status === '' && orderId === '' ? (
      <>
        No webhook yet. One is sent when a payment ends whose access token has a <code>webHookUrl</code>
        {gateway.isSandbox && (
          <>
            , such as those of the <a href="/demo">demo shop</a>
          </>
        )}
        . <a href="/docs/guides/webhooks">Receive webhooks</a> has a receiver to try.
      </>
    ) : (
      'Nothing matches all of this.'
    )
  return (
    <LiveList list={list} filters={filters} empty={empty}>
      {deliveries => <Deliveries gateway={gateway} deliveries={deliveries} />}
    </LiveList>
  )
}
