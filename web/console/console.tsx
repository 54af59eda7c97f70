// web/console/console.tsx — the console: what happens in an account, and in a sandbox a till and a terminal that can be pressed.
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import './console.css'
import './parts/parts.css'
import { CounterPage } from './counter/counter-page.tsx'
import { forgetTill, OwnTill, useTill } from './counter/own-till.tsx'
import { type Credentials, createGateway, type Gateway } from './gateway.ts'
import { type Given, ROLES, type SignedIn } from './given.ts'
import { KeysPage } from './keys/keys-page.tsx'
import { OnlinePage } from './online/online-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { SignInPage } from './people/sign-in-page.tsx'
import { type Place, placeIn } from './places.ts'
import { RequestsPage } from './requests/requests-page.tsx'
import { SandboxPage } from './sandbox/sandbox-page.tsx'
import { TodayPage } from './today/today-page.tsx'
import { TransactionPage } from './transactions/transaction-page.tsx'
import { TransactionsPage } from './transactions/transactions-page.tsx'

/** Pages that the shared account has not. */
const FOR_USERS: ReadonlySet<Place['page']> = new Set(['people', 'keys'])

const root = document.getElementById('console')
if (root !== null) {
  const given = JSON.parse(root.dataset['given'] ?? '{}') as Given
  // The token must not stay in the document.
  root.removeAttribute('data-given')
  root.replaceChildren()
  render(<Console given={given} />, root)
}

function Console({ given }: { readonly given: Given }) {
  const [signedIn, setSignedIn] = useState(given.signedIn)
  const [notice, setNotice] = useState('')
  // The till of a user is something to ask for.
  const place = usePlace(signedIn === null ? 'counter' : 'transactions')
  const credentials = credentialsOf(signedIn, given)
  const gateway = useMemo(
    () =>
      credentials === null
        ? null
        : createGateway(credentials, {
            isSandbox: given.mode === 'sandbox',
            onSignedOut() {
              forgetTill()
              setSignedIn(null)
              setNotice('Your session is over. Sign in again.')
              location.hash = '#/sign-in'
            },
          }),
    [signedIn, given],
  )
  const isSigningIn = gateway === null || place.page === 'sign-in' || (signedIn === null && FOR_USERS.has(place.page))
  const signOut = async () => {
    await gateway?.send('DELETE', '/api/session')
    forgetTill()
    setSignedIn(null)
    setNotice('You are signed out.')
    location.hash = '#/sign-in'
  }
  return (
    <>
      <header class="top">
        <p class="brand">
          <a href="/">Tollgate</a>
        </p>
        <nav aria-label="Console">
          {gateway !== null && <Tabs given={given} signedIn={signedIn} place={place} />}
          {given.mode === 'sandbox' && <a href="/demo">Demo shop</a>}
          <a href="/docs/guides">Guides</a>
        </nav>
        <Identity given={given} signedIn={signedIn} signOut={() => void signOut()} />
      </header>
      <main id="content" tabIndex={-1}>
        {isSigningIn ? (
          <SignInPage
            given={given}
            notice={notice}
            onSignedIn={who => {
              setSignedIn(who)
              setNotice('')
              // Who came to a page for users stays there.
              if (!FOR_USERS.has(place.page)) location.hash = '#/transactions'
            }}
          />
        ) : (
          <Shown key={signedIn?.user ?? ''} gateway={gateway} signedIn={signedIn} place={place} />
        )}
      </main>
    </>
  )
}

function credentialsOf(signedIn: SignedIn | null, { publicAccount }: Given): Credentials | null {
  if (signedIn === null) return publicAccount
  const { account, pageToken, rights } = signedIn
  return { account, pageToken, rights }
}

interface WhoProps {
  readonly given: Given
  readonly signedIn: SignedIn | null
}

/** The counter is there for the shared account, and for users who may operate: it gets a key of its own. */
function Tabs({ given, signedIn, place }: WhoProps & { readonly place: Place }) {
  return (
    <>
      {mayUseTill(signedIn) && (
        <Tab to="counter" place={place}>
          Counter
        </Tab>
      )}
      <Tab to="transactions" place={place}>
        Transactions
      </Tab>
      <Tab to="online" place={place}>
        Online
      </Tab>
      <Tab to="requests" place={place}>
        Requests
      </Tab>
      {given.mode === 'sandbox' && (
        <Tab to="sandbox" place={place}>
          Sandbox
        </Tab>
      )}
      <Tab to="today" place={place}>
        Today
      </Tab>
      {signedIn !== null && (
        <Tab to="people" place={place}>
          People
        </Tab>
      )}
      {signedIn?.rights.includes('configure') && (
        <Tab to="keys" place={place}>
          Keys
        </Tab>
      )}
    </>
  )
}

function mayUseTill(signedIn: SignedIn | null): boolean {
  return signedIn === null || signedIn.rights.includes('operate')
}

function Identity({ given, signedIn, signOut }: WhoProps & { readonly signOut: () => void }) {
  const account = signedIn?.account ?? given.publicAccount?.account
  return (
    <p class="account">
      {account !== undefined && (
        <>
          Account <strong>{account}</strong>
        </>
      )}
      {given.mode === 'sandbox' && <span class="tag">sandbox, no money moves</span>}
      {signedIn === null ? (
        <a href="#/sign-in">Sign in</a>
      ) : (
        <>
          <span>
            {signedIn.name}, {ROLES[signedIn.role] ?? signedIn.role}
          </span>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </>
      )}
    </p>
  )
}

interface ShownProps {
  readonly gateway: Gateway
  readonly signedIn: SignedIn | null
  readonly place: Place
}

function Shown({ gateway, signedIn, place: { page, id } }: ShownProps) {
  const withOwnTill = useTill(gateway, signedIn)
  switch (page) {
    case 'today':
      return <TodayPage gateway={gateway} />
    case 'online':
      return <OnlinePage gateway={gateway} id={id} />
    case 'requests':
      return <RequestsPage gateway={gateway} />
    case 'sandbox':
      return <SandboxPage gateway={gateway} id={id} />
    case 'people':
      return signedIn === null ? null : <PeoplePage gateway={gateway} signedIn={signedIn} />
    case 'keys':
      return signedIn === null ? null : <KeysPage gateway={gateway} signedIn={signedIn} />
    case 'transactions':
      if (id !== null) return <TransactionPage key={id} gateway={withOwnTill} id={id} />
      break
    case 'counter':
      if (signedIn === null) return <CounterPage key={id} gateway={gateway} tid={id} />
      if (mayUseTill(signedIn)) return <OwnTill gateway={gateway} signedIn={signedIn} tid={id} />
  }
  return <TransactionsPage gateway={gateway} />
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
function usePlace(beginning: Place['page']): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => {
      setHash(location.hash)
      document.getElementById('content')?.focus()
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return useMemo(() => placeIn(hash, beginning), [hash, beginning])
}
