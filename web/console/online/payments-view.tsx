// web/console/online/payments-view.tsx — the online payments of the account, newest first, as they happen.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import { LiveList } from '../parts/live-list-view.tsx'
import { queryOf, useLivePages } from '../parts/live-pages.ts'
import { Table } from '../parts/table.tsx'
import { shortTime } from '../parts/time.ts'
import { addressOfPayment, cardOf, moneyOf, outcomeOf, PAYMENTS, type Payment, STATUSES } from './payment.ts'

interface Filter {
  readonly status: string
  readonly lastFour: string
  readonly orderId: string
}

const NO_FILTER: Filter = { status: '', lastFour: '', orderId: '' }

export function PaymentsView({ gateway }: { readonly gateway: Gateway }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const list = useLivePages(gateway, PAYMENTS, queryOf({ ...filter }))
  const isFiltered = Object.values(filter).some(value => value !== '')
  return (
    <LiveList
      list={list}
      filters={<Filters filter={filter} onChange={setFilter} />}
      empty={isFiltered ? 'Nothing matches all of this.' : <Nothing gateway={gateway} />}
    >
      {payments => <Payments payments={payments} />}
    </LiveList>
  )
}

function Nothing({ gateway }: { readonly gateway: Gateway }) {
  return (
    <>
      No payment yet.{' '}
      {gateway.isSandbox && (
        <>
          <a href="/demo">Buy something in the demo shop</a>, or let your own server ask for an access token:{' '}
        </>
      )}
      {!gateway.isSandbox && 'A payment begins when your server asks for an access token: '}
      <a href="/docs/guides/hosted-form">how to</a>. It appears here as soon as it is there.
    </>
  )
}

function Filters({ filter, onChange }: { readonly filter: Filter; readonly onChange: (filter: Filter) => void }) {
  const [lastFour, setLastFour] = useState(filter.lastFour)
  const [orderId, setOrderId] = useState(filter.orderId)
  const isDigits = /^(\d{4})?$/.test(lastFour)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        if (isDigits) onChange({ ...filter, lastFour, orderId: orderId.trim() })
      }}
    >
      <label>
        Outcome
        <select value={filter.status} onChange={event => onChange({ ...filter, status: event.currentTarget.value })}>
          <option value="">Any</option>
          {[...STATUSES].map(([status, { name }]) => (
            <option key={status} value={String(status)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Last four digits
        <input
          inputMode="numeric"
          maxLength={4}
          value={lastFour}
          aria-invalid={!isDigits}
          onInput={event => setLastFour(event.currentTarget.value)}
        />
      </label>
      <label>
        Order
        <input value={orderId} maxLength={50} onInput={event => setOrderId(event.currentTarget.value)} />
      </label>
      <button type="submit">Search</button>
    </form>
  )
}

function Payments({ payments }: { readonly payments: readonly Payment[] }) {
  return (
    <Table name="Payments" columns={['Token made', { amount: 'Amount' }, 'Outcome', 'Card', 'What', 'Order', 'Money']}>
      {payments.map(payment => (
        <tr key={payment.id}>
          <td>
            <a href={addressOfPayment(payment.id)}>
              <time dateTime={payment.createdAt} title={new Date(payment.createdAt).toLocaleString()}>
                {shortTime(payment.createdAt, Date.now())}
              </time>
            </a>
          </td>
          <td class="amount">{inWords(payment.amountMinor, payment.currency)}</td>
          <td>
            <span class={outcomeOf(payment).tone}>{outcomeOf(payment).name}</span>
          </td>
          <td>{cardOf(payment)}</td>
          <td>{payment.transactionType}</td>
          <td>{payment.orderId}</td>
          <td>{moneyOf(payment)}</td>
        </tr>
      ))}
    </Table>
  )
}
