// web/console/counter/own-till.tsx — the counter of a user who is signed in: with a key that this tab of the browser keeps until the session ends.
import { useMemo, useState } from 'preact/hooks'
import { type Gateway, withTill } from '../gateway.ts'
import type { SignedIn } from '../given.ts'
import { CounterPage } from './counter-page.tsx'

/** In the storage of the tab. It is gone with the tab, and of no use after the session. */
const STORED = 'tollgate-till'

export interface OwnTillProps {
  readonly gateway: Gateway
  readonly signedIn: SignedIn
  readonly tid: string | null
}

export function OwnTill({ gateway, signedIn, tid }: OwnTillProps) {
  const [key, setKey] = useState(() => keyOf(signedIn))
  const [problem, setProblem] = useState('')
  const forget = (why: string) => {
    forgetTill()
    setKey(null)
    setProblem(why)
  }
  const till = useMemo(
    () => key && withTill(gateway, key, () => forget('The till of this browser is no longer valid.')),
    [gateway, key],
  )
  if (till) return <CounterPage key={tid} gateway={till} tid={tid} />
  const begin = async () => {
    const answered = await gateway.send<{ readonly apiKey: string }>('POST', '/api/session/till')
    if (!answered.ok) return setProblem(answered.sentence)
    sessionStorage.setItem(STORED, JSON.stringify([ownerOf(signedIn), answered.body.apiKey]))
    setProblem('')
    setKey(answered.body.apiKey)
  }
  return (
    <>
      <h1>Counter</h1>
      <p class="lead">
        Take payments at the terminals of this account. The browser gets a key for that, which this tab keeps until you
        sign out or close it.
      </p>
      <p>
        <button type="button" onClick={() => void begin()}>
          Use the till in this browser
        </button>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
    </>
  )
}

/** The gateway with the till of this tab, when there is one. */
export function useTill(gateway: Gateway, signedIn: SignedIn | null): Gateway {
  const key = signedIn && keyOf(signedIn)
  return useMemo(() => (key ? withTill(gateway, key, forgetTill) : gateway), [gateway, key])
}

export function forgetTill(): void {
  sessionStorage.removeItem(STORED)
}

/** The key that this tab keeps for this session; null when there is none. */
function keyOf(signedIn: SignedIn): string | null {
  try {
    const [owner, key] = JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as readonly unknown[]
    return owner === ownerOf(signedIn) && typeof key === 'string' ? key : null
  } catch {
    return null
  }
}

function ownerOf({ account, user }: SignedIn): string {
  return `${account} ${user}`
}
