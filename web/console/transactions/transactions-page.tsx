// web/console/transactions/transactions-page.tsx — the transactions of the account, newest first, as they happen.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import { Wide } from '../parts/scrolling.tsx'
import { addressOf } from '../places.ts'
import { type Filter, type ListedTransaction, useLiveList } from './live-list.ts'
import { moneyInWords } from './verdict.ts'

const RESULTS = ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'] as const
const NO_FILTER: Filter = { terminal: '', lastFour: '', result: '' }

export function TransactionsPage({ gateway }: { readonly gateway: Gateway }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const { items: transactions, problem, isLive, hasMore, more } = useLiveList(gateway, filter)
  const isFiltered = Object.values(filter).some(value => value !== '')
  return (
    <>
      <h1>Transactions</h1>
      <p role="status" class={isLive ? 'live' : 'live lost'}>
        {isLive ? 'Live: changes appear by themselves.' : 'Connecting; changes will appear when the gateway answers.'}
      </p>
      <Filters filter={filter} onChange={setFilter} />
      <p role="alert" class="bad">
        {problem}
      </p>
      {transactions === null && problem === null && <p class="quiet">Looking…</p>}
      {transactions?.length === 0 && (
        <p class="empty">
          {isFiltered ? 'Nothing matches all of this.' : 'Nothing yet. '}
          {!isFiltered && <a href="#/counter">Start a sale at the counter</a>}
        </p>
      )}
      {transactions !== null && transactions.length > 0 && <Table transactions={transactions} />}
      {hasMore && (
        <button type="button" onClick={more}>
          Older ones
        </button>
      )}
    </>
  )
}

function Filters({ filter, onChange }: { readonly filter: Filter; readonly onChange: (filter: Filter) => void }) {
  const [lastFour, setLastFour] = useState(filter.lastFour)
  const [terminal, setTerminal] = useState(filter.terminal)
  const isDigits = /^(\d{4})?$/.test(lastFour)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        if (isDigits) onChange({ ...filter, lastFour, terminal: terminal.trim() })
      }}
    >
      <label>
        Result
        <select value={filter.result} onChange={event => onChange({ ...filter, result: event.currentTarget.value })}>
          <option value="">Any</option>
          {RESULTS.map(result => (
            <option key={result} value={result}>
              {result}
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
        Terminal
        <input value={terminal} onInput={event => setTerminal(event.currentTarget.value)} />
      </label>
      <button type="submit">Search</button>
    </form>
  )
}

function Table({ transactions }: { readonly transactions: readonly ListedTransaction[] }) {
  return (
    <Wide name="Transactions">
      <table>
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Terminal</th>
            <th scope="col">What</th>
            <th scope="col" class="amount">
              Amount
            </th>
            <th scope="col">Outcome</th>
            <th scope="col">Money</th>
          </tr>
        </thead>
        <tbody>
          {transactions.map(each => (
            <tr key={each.requestId}>
              <td>
                <a href={addressOf(each.requestId)}>
                  <time dateTime={each.startedAt}>{new Date(each.startedAt).toLocaleString()}</time>
                </a>
              </td>
              <td>{each.tid}</td>
              <td>{each.transactionType}</td>
              <td class="amount">{inWords(each.amountMinor, each.currency)}</td>
              <td>
                <span class={`result ${(each.result ?? 'running').toLowerCase()}`}>{each.result ?? each.progress}</span>
              </td>
              <td>{moneyInWords(each)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
