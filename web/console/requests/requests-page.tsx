// web/console/requests/requests-page.tsx — what programs have asked with the keys of the account, and how it was answered.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { LiveList } from '../parts/live-list-view.tsx'
import { idOf } from './recorded-request.ts'
import { type RequestFilter, useRequests } from './request-list.ts'
import { RequestView } from './request-view.tsx'
import './requests.css'

const NO_FILTER: RequestFilter = { refused: '', status: '', operation: '' }

export function RequestsPage({ gateway }: { readonly gateway: Gateway }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const list = useRequests(gateway, filter)
  const isFiltered = Object.values(filter).some(value => value !== '')
  return (
    <>
      <h1>Requests</h1>
      <p class="lead">
        What tills, shops, payers and this page have asked of the account in the last hour, without secrets and card
        data.
      </p>
      <LiveList
        list={list}
        filters={<Filters filter={filter} onChange={setFilter} />}
        empty={<Empty gateway={gateway} isFiltered={isFiltered} isRecording={list.isRecording} />}
      >
        {requests => (
          <ol class="rows requests" aria-label="Requests, newest first">
            {requests.map(request => (
              <li key={idOf(request)}>
                <RequestView gateway={gateway} request={request} />
              </li>
            ))}
          </ol>
        )}
      </LiveList>
    </>
  )
}

interface EmptyProps {
  readonly gateway: Gateway
  readonly isFiltered: boolean
  readonly isRecording: boolean
}

function Empty({ gateway, isFiltered, isRecording }: EmptyProps) {
  const { credentials } = gateway
  if (!isRecording)
    return (
      <>
        This gateway records no requests: its setting <code>TOLLGATE_RECORD_REQUESTS</code> is off.
      </>
    )
  if (isFiltered) return <>No request of the last hour matches all of this.</>
  return (
    <>
      Nothing was asked in the last hour.{' '}
      {'key' in credentials && (
        <>
          <a href="#/counter">Start a sale at the counter</a>, or in{' '}
        </>
      )}
      {'key' in credentials ? '' : 'In '}a shell:{' '}
      <code>
        curl -u {credentials.account}:{'key' in credentials ? credentials.key : '$API_KEY'} {location.origin}
        /pac/terminals
      </code>
    </>
  )
}

interface FiltersProps {
  readonly filter: RequestFilter
  readonly onChange: (filter: RequestFilter) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const [status, setStatus] = useState(filter.status)
  const [operation, setOperation] = useState(filter.operation)
  // A code of JSON-RPC is negative.
  const isStatus = /^(-?\d{1,6})?$/.test(status)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        if (isStatus) onChange({ ...filter, status, operation: operation.trim() })
      }}
    >
      <label>
        Outcome
        <select
          value={filter.refused}
          onChange={event => onChange({ ...filter, refused: event.currentTarget.value as RequestFilter['refused'] })}
        >
          <option value="">Any</option>
          <option value="true">Refused</option>
          <option value="false">Not refused</option>
        </select>
      </label>
      <label>
        Status
        <input
          class="short"
          inputMode="numeric"
          maxLength={7}
          value={status}
          aria-invalid={!isStatus}
          onInput={event => setStatus(event.currentTarget.value)}
        />
      </label>
      <label>
        Operation
        <input value={operation} maxLength={64} onInput={event => setOperation(event.currentTarget.value)} />
      </label>
      <button type="submit">Search</button>
    </form>
  )
}
