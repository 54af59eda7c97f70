// web/console/people/sign-in-page.tsx — a user signs in to an account.
import { useState } from 'preact/hooks'
import { sentenceIn } from '../gateway.ts'
import type { Given, SignedIn } from '../given.ts'

export interface SignInPageProps {
  readonly given: Given
  /** Why somebody has to sign in again; empty at the beginning. */
  readonly notice: string
  readonly onSignedIn: (signedIn: SignedIn) => void
}

export function SignInPage({ given, notice, onSignedIn }: SignInPageProps) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const elsewhere = given.consoleUrl !== null && new URL(given.consoleUrl).origin !== location.origin
  if (elsewhere)
    return (
      <>
        <h1>Sign in</h1>
        <p>
          The console is at <a href={`${given.consoleUrl}/console`}>{given.consoleUrl}</a>.
        </p>
      </>
    )
  const signIn = async (form: HTMLFormElement) => {
    setBusy(true)
    const fields = Object.fromEntries(new FormData(form))
    const answered = await fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }).catch(() => null)
    setBusy(false)
    const answer: unknown = await answered?.json().catch(() => null)
    if (answered?.ok) return onSignedIn(answer as SignedIn)
    setProblem(
      answered === null ? 'The gateway does not answer. Is it running?' : sentenceIn(answer, answered?.status ?? 0),
    )
    form.querySelector<HTMLInputElement>('[name=password]')?.select()
  }
  return (
    <>
      <h1>Sign in</h1>
      <p role="status">{notice}</p>
      <form
        class="panel sign-in"
        onSubmit={event => {
          event.preventDefault()
          void signIn(event.currentTarget)
        }}
      >
        <label>
          Account
          <input name="account" required maxLength={64} autocapitalize="none" autocomplete="organization" />
        </label>
        <label>
          User
          <input name="user" required maxLength={64} autocapitalize="none" autocomplete="username" />
        </label>
        <label>
          Password
          <input name="password" type="password" required maxLength={512} autocomplete="current-password" />
        </label>
        <p role="alert" class="bad">
          {problem}
        </p>
        <button type="submit" class="main" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
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
  )
}
