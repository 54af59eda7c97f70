// web/console/transactions/transactions-page.tsx — transactions at terminals and online payments: live, searched, exported.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import { addressOfPayment, outcomeOf, type Payment } from '../online/payment.ts'
import { useLivePages } from '../parts/live-pages.ts'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../places.ts'
import { ExportButton } from './export-button.tsx'
import { isNarrowed, NO_FILTER, queryOf } from './filter.ts'
import { FilterForm } from './filter-form.tsx'
import type { ListedTransaction } from './listed-transaction.ts'
import { AT_TERMINALS, ONLINE, type Source } from './source.ts'
import { MONEY, moneyInWords, outcomeInWords } from './verdict.ts'

export function TransactionsPage({ gateway }: { readonly gateway: Gateway }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const currency = useCurrency(gateway)
  const list = { gateway, query: currency === null ? null : queryOf(filter, currency), isNarrowed: isNarrowed(filter) }
  return (
    <>
      <h1>Transactions</h1>
      <FilterForm filter={filter} currency={currency ?? 'GBP'} onChange={setFilter} />
      {filter.where === 'terminals' ? (
        <List key="terminals" {...list} source={AT_TERMINALS} table={items => <TransactionTable items={items} />}>
          {'key' in gateway.credentials ? (
            <a href="#/counter">Start a sale at the counter</a>
          ) : (
            'A till starts the first one.'
          )}
        </List>
      ) : (
        <List key="online" {...list} source={ONLINE} table={items => <PaymentTable items={items} />}>
          {gateway.isSandbox ? <a href="/demo">Pay in the demo shop</a> : 'A payer makes the first one.'}
        </List>
      )}
    </>
  )
}

/** Currency of the account, which amounts are typed in; null before it is known. */
function useCurrency(gateway: Gateway): string | null {
  const [currency, setCurrency] = useState<string | null>(null)
  useEffect(() => {
    // Without an answer the list says so itself.
    void gateway
      .get<{ readonly currency: string }>('/api/account')
      .then(answered => setCurrency(answered.ok ? answered.body.currency : 'GBP'))
  }, [gateway])
  return currency
}

interface ListProps<Item> {
  readonly gateway: Gateway
  readonly source: Source<Item>
  /** Null while it is not known yet. */
  readonly query: string | null
  readonly isNarrowed: boolean
  readonly table: (items: readonly Item[]) => ComponentChildren
  /** How to get a first one. */
  readonly children: ComponentChildren
}

function List<Item>({ gateway, source, query, isNarrowed: isFiltered, table, children }: ListProps<Item>) {
  const { items, problem, isLive, hasMore, more } = useLivePages(gateway, source, query)
  return (
    <>
      <p role="status" class={isLive ? 'live' : 'live lost'}>
        {isLive ? 'Live: changes appear by themselves.' : 'Connecting; changes will appear when the gateway answers.'}
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {items === null && problem === null && <p class="quiet">Looking…</p>}
      {items?.length === 0 && (
        <p class="empty">
          {isFiltered ? 'Nothing matches all of this.' : 'Nothing yet. '}
          {!isFiltered && children}
        </p>
      )}
      {items !== null && items.length > 0 && table(items)}
      {hasMore && (
        <button type="button" onClick={more}>
          Older ones
        </button>
      )}
      {query !== null && items !== null && items.length > 0 && (
        <ExportButton key={query} gateway={gateway} source={source} query={query} />
      )}
    </>
  )
}

function PaymentTable({ items }: { readonly items: readonly Payment[] }) {
  return (
    <Table
      name="Online payments"
      columns={['Created', 'Order', 'What', { amount: 'Amount' }, 'Card', 'Outcome', 'Money']}
    >
      {items.map(each => (
        <tr key={each.id}>
          <td>
            <a href={addressOfPayment(each.id)}>
              <time dateTime={each.createdAt}>{new Date(each.createdAt).toLocaleString()}</time>
            </a>
          </td>
          <td>{each.orderId}</td>
          <td>{each.transactionType}</td>
          <td class="amount">{inWords(each.amountMinor, each.currency)}</td>
          <td>{each.card === null ? '' : `${each.card.scheme} ${each.card.number.slice(-4)}`}</td>
          <td>
            <span class={outcomeOf(each).tone}>{outcomeOf(each).name}</span>
          </td>
          <td>{MONEY[each.verdict.moneyTaken]}</td>
        </tr>
      ))}
    </Table>
  )
}

function TransactionTable({ items }: { readonly items: readonly ListedTransaction[] }) {
  return (
    <Table name="Transactions" columns={['Started', 'Terminal', 'What', { amount: 'Amount' }, 'Outcome', 'Money']}>
      {items.map(each => (
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
            <span class={`result ${(each.result ?? 'running').toLowerCase()}`}>{outcomeInWords(each)}</span>
          </td>
          <td>{moneyInWords(each)}</td>
        </tr>
      ))}
    </Table>
  )
}
