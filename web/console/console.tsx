// web/console/console.tsx — the console of a sandbox: a till, a terminal that can be pressed, and the transactions as they happen.
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import './console.css'
import './parts/parts.css'
import { CounterPage } from './counter/counter-page.tsx'
import { createGateway } from './gateway.ts'
import { OnlinePage } from './online/online-page.tsx'
import { type Place, placeIn } from './places.ts'
import { RequestsPage } from './requests/requests-page.tsx'
import { SandboxPage } from './sandbox/sandbox-page.tsx'
import { TodayPage } from './today/today-page.tsx'
import { TransactionPage } from './transactions/transaction-page.tsx'
import { TransactionsPage } from './transactions/transactions-page.tsx'

const root = document.getElementById('console')
if (root !== null) {
  const { account = '', key = '' } = root.dataset
  root.replaceChildren()
  render(<Console account={account} apiKey={key} />, root)
}

function Console({ account, apiKey }: { readonly account: string; readonly apiKey: string }) {
  const gateway = useMemo(() => createGateway({ account, key: apiKey }), [account, apiKey])
  const place = usePlace()
  return (
    <>
      <header class="top">
        <p class="brand">
          <a href="/">Tollgate</a>
        </p>
        <nav aria-label="Console">
          <Tab to="counter" place={place}>
            Counter
          </Tab>
          <Tab to="transactions" place={place}>
            Transactions
          </Tab>
          <Tab to="online" place={place}>
            Online
          </Tab>
          <Tab to="requests" place={place}>
            Requests
          </Tab>
          <Tab to="sandbox" place={place}>
            Sandbox
          </Tab>
          <Tab to="today" place={place}>
            Today
          </Tab>
          <a href="/demo">Demo shop</a>
          <a href="/docs/guides">Guides</a>
        </nav>
        <p class="account">
          Account <strong>{account}</strong>
          <span class="tag">sandbox, no money moves</span>
        </p>
      </header>
      <main id="content" tabIndex={-1}>
        {place.page === 'counter' && <CounterPage key={place.id} gateway={gateway} tid={place.id} />}
        {place.page === 'today' && <TodayPage gateway={gateway} />}
        {place.page === 'transactions' && place.id === null && <TransactionsPage gateway={gateway} />}
        {place.page === 'transactions' && place.id !== null && (
          <TransactionPage key={place.id} gateway={gateway} id={place.id} />
        )}
        {place.page === 'online' && <OnlinePage gateway={gateway} id={place.id} />}
        {place.page === 'requests' && <RequestsPage gateway={gateway} />}
        {place.page === 'sandbox' && <SandboxPage gateway={gateway} id={place.id} />}
      </main>
    </>
  )
}

function Tab({
  to,
  place,
  children,
}: {
  readonly to: Place['page']
  readonly place: Place
  readonly children: string
}) {
  return (
    <a href={`#/${to}`} aria-current={place.page === to ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** The part of the console that the address names. */
function usePlace(): Place {
  const [place, setPlace] = useState(() => placeIn(location.hash))
  useEffect(() => {
    const follow = () => {
      setPlace(placeIn(location.hash))
      document.getElementById('content')?.focus()
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}
