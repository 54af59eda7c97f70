// web/console/phone/phone.tsx — the page of a link: a phone that is one terminal, and nothing else.
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import '../console.css'
import '../parts/parts.css'
import { Terminal } from '../counter/terminal.tsx'
import { createCaller } from '../gateway.ts'
import { tidIn } from './link.ts'
import './phone.css'

const root = document.getElementById('phone')
if (root !== null) {
  root.replaceChildren()
  render(<Phone />, root)
}

function Phone() {
  const token = useToken()
  return (
    <>
      <header class="top">
        <p class="brand">
          <a href="/">Tollgate</a>
        </p>
        <p>
          <span class="tag">sandbox, no money moves</span>
        </p>
      </header>
      <main class="phone">{token === '' ? <NoLink /> : <Linked key={token} token={token} />}</main>
    </>
  )
}

function Linked({ token }: { readonly token: string }) {
  const [isOver, setOver] = useState(false)
  const caller = useMemo(() => createCaller({ authorization: `Bearer ${token}` }, () => setOver(true)), [token])
  const tid = tidIn(token)
  useEffect(() => {
    document.title = tid === null ? 'Terminal — Tollgate' : `Terminal ${tid} — Tollgate`
  }, [tid])
  if (tid === null || isOver) return <Ended />
  return (
    <>
      <h1 class="unseen">A terminal on a phone</h1>
      <div class="counter">
        <Terminal gateway={caller} tid={tid}>
          <p class="lead">
            Start a sale on the till.{!isSecureContext && ' This connection is not encrypted: use test cards only.'}
          </p>
        </Terminal>
      </div>
    </>
  )
}

function Ended() {
  return (
    <div role="alert">
      <h1>This link has ended</h1>
      <p>
        Scan a new one: in the console, press <strong>Use a phone</strong> at the terminal.
      </p>
    </div>
  )
}

function NoLink() {
  return (
    <>
      <h1>A terminal on a phone</h1>
      <p>
        This page needs a link to a terminal. In the <a href="/console">console</a>, press <strong>Use a phone</strong>{' '}
        at the terminal and scan the code.
      </p>
    </>
  )
}

/** What follows the number sign. Another code may be scanned while the page is open. */
function useToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const follow = () => setToken(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return token
}
