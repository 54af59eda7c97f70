// web/console/people/own-password.tsx — users change their own passwords.
import type { Gateway } from '../gateway.ts'
import { useForm } from '../parts/sending.ts'

export function OwnPassword({ gateway, user }: { readonly gateway: Gateway; readonly user: string }) {
  const { problem, onSubmit } = useForm(async fields => {
    const answered = await gateway.send('PUT', '/api/session/password', Object.fromEntries(fields))
    if (!answered.ok) return answered.sentence
    // The session is over. The next request finds that out, and the page asks for the new password.
    await gateway.get('/api/session')
    return null
  })
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title" class="after">
        Your password
      </h2>
      <p class="quiet">
        A new one ends all your sessions, this one too. 12 to 128 characters, without your name {user}.
      </p>
      <form class="filters" onSubmit={onSubmit}>
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
