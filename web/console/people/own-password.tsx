// web/console/people/own-password.tsx — users change their own passwords.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'

export function OwnPassword({ gateway, user }: { readonly gateway: Gateway; readonly user: string }) {
  const [problem, setProblem] = useState('')
  const change = async (form: HTMLFormElement) => {
    const answered = await gateway.send('PUT', '/api/session/password', Object.fromEntries(new FormData(form)))
    if (!answered.ok) return setProblem(answered.sentence)
    // The session is over. The next request finds that out, and the page asks for the new password.
    await gateway.get('/api/session')
  }
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title" class="after">
        Your password
      </h2>
      <p class="quiet">
        A new one ends all your sessions, this one too. 12 to 128 characters, without your name {user}.
      </p>
      <form
        class="filters"
        onSubmit={event => {
          event.preventDefault()
          void change(event.currentTarget)
        }}
      >
        <input
          class="unseen"
          type="text"
          autocomplete="username"
          value={user}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label>
          The one until now
          <input name="password" type="password" required autocomplete="current-password" />
        </label>
        <label>
          The new one
          <input
            name="newPassword"
            type="password"
            required
            minLength={12}
            maxLength={128}
            autocomplete="new-password"
          />
        </label>
        <button type="submit">Change it</button>
      </form>
      <p role="alert" class="bad">
        {problem}
      </p>
    </section>
  )
}
