// web/console/people/sign-in-page.tsx — a user signs in to an account.
import { startAuthentication } from '@simplewebauthn/browser'
import { useEffect, useRef, useState } from 'preact/hooks'
import { codeIn, sentenceIn } from '../gateway.ts'
import type { Given, SignedIn } from '../given.ts'
import { passkeyProblem, whyNoPasskeys } from './passkey-support.ts'

export interface SignInPageProps {
  readonly given: Given
  /** Why somebody has to sign in again; empty at the beginning. */
  readonly notice: string
  readonly onSignedIn: (signedIn: SignedIn) => void
}

export function SignInPage({ given, notice, onSignedIn }: SignInPageProps) {
  const elsewhere = given.consoleUrl !== null && new URL(given.consoleUrl).origin !== location.origin
  return (
    <>
      <h1>Sign in</h1>
      {elsewhere ? (
        <p>
          The console is at <a href={`${given.consoleUrl}/console`}>{given.consoleUrl}</a>.
        </p>
      ) : (
        <>
          <p role="status">{notice}</p>
          <SignInForm onSignedIn={onSignedIn} />
          <p class="quiet">
            No user yet? The first owner of an account is made on the machine of the gateway:{' '}
            <code>npx tollgate users create</code> (<a href="/docs/guides/users">how to</a>).
          </p>
          {given.publicAccount !== null && (
            <p>
              <a href="#/counter">Go on with the test account {given.publicAccount.account}</a>, which needs no sign-in.
            </p>
          )}
        </>
      )}
    </>
  )
}

function SignInForm({ onSignedIn }: Pick<SignInPageProps, 'onSignedIn'>) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [wantsCode, setWantsCode] = useState(false)

  const attempt = async (path: string, body: object) => {
    setBusy(true)
    const answered = await asked('POST', path, body)
    setBusy(false)
    if (answered.ok) return onSignedIn(answered.answer as SignedIn)
    if (answered.code === 'code_needed') {
      setWantsCode(true)
      return setProblem('')
    }
    setProblem(answered.sentence)
    form.current?.querySelector<HTMLInputElement>(wantsCode ? '[name=code]' : '[name=password]')?.select()
  }

  const byPasskey = async () => {
    const account = form.current?.querySelector<HTMLInputElement>('[name=account]')
    if (!account?.reportValidity()) return
    const request = await asked('GET', '/api/session/passkey')
    if (!request.ok) return setProblem(request.sentence)
    try {
      const credential = await startAuthentication({ optionsJSON: request.answer as RequestOptions })
      await attempt('/api/session/passkey', { account: account.value, credential })
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
  }

  return (
    <form
      ref={form}
      class="panel sign-in"
      onSubmit={event => {
        event.preventDefault()
        void attempt('/api/session', Object.fromEntries(new FormData(event.currentTarget)))
      }}
    >
      <label>
        Account
        <input name="account" required maxLength={64} autocapitalize="none" autocomplete="organization" />
      </label>
      <label>
        User
        <input
          name="user"
          required
          maxLength={64}
          autocapitalize="none"
          autocomplete="username"
          onInput={() => setWantsCode(false)}
        />
      </label>
      <label>
        Password
        <input name="password" type="password" required maxLength={512} autocomplete="current-password" />
      </label>
      {wantsCode && <CodeField />}
      <p role="alert" class="bad">
        {problem}
      </p>
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
      {whyNoPasskeys() === null && (
        <button type="button" disabled={isBusy} onClick={() => void byPasskey()}>
          Sign in with a passkey
        </button>
      )}
    </form>
  )
}

/** Takes the focus, as it is what is missing. */
function CodeField() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <label>
      One-time code, or a recovery code
      <input
        name="code"
        required
        minLength={6}
        maxLength={40}
        autocapitalize="none"
        autocomplete="one-time-code"
        ref={field}
      />
    </label>
  )
}

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

type Asked =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly code: unknown; readonly sentence: string }

/** Calls the gateway before anybody is signed in. */
async function asked(method: 'GET' | 'POST', path: string, body?: object): Promise<Asked> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => null)
  if (response === null) return { ok: false, code: null, sentence: 'The gateway does not answer. Is it running?' }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return { ok: true, answer }
  return { ok: false, code: codeIn(answer), sentence: sentenceIn(answer, response.status) }
}
