// web/console/keys/jwt-keys.tsx — public keys with which web shops sign their own JWTs: listed, registered, revoked.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Table } from '../parts/table.tsx'
import { useReading } from '../people/reading.ts'

const PATH = '/api/jwt-keys'

interface JwtKey {
  readonly id: string
  readonly kid: string
  readonly label: string
  readonly status: string
  readonly createdAt: string
}

export function JwtKeys({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<{ readonly keys: readonly JwtKey[] }>(gateway, PATH)
  return (
    <section aria-labelledby="jwt-keys-title">
      <h2 id="jwt-keys-title" class="after">
        Keys of web shops
      </h2>
      <p class="quiet">
        A web shop calls with a JWT. It signs its own with a private key whose public half is here.{' '}
        <a href="/docs/guides/keys-and-accounts">How to make one</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body?.keys.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <Table name="List of keys of web shops" columns={['kid', 'For', 'Since', 'State']}>
          {body?.keys.map(key => (
            <Row key={key.id} gateway={gateway} listed={key} again={again} />
          ))}
        </Table>
      )}
      <Registration gateway={gateway} onDone={again} />
    </section>
  )
}

interface RowProps {
  readonly gateway: Gateway
  readonly listed: JwtKey
  readonly again: () => void
}

function Row({ gateway, listed: { id, kid, label, status, createdAt }, again }: RowProps) {
  const [isRevoking, setRevoking] = useState(false)
  const revoke = async () => {
    const answered = await gateway.send('DELETE', `${PATH}/${encodeURIComponent(id)}`)
    again()
    return answered.ok ? null : answered.sentence
  }
  return (
    <tr>
      <td>
        <code>{kid}</code>
      </td>
      <td>{label}</td>
      <td>{new Date(createdAt).toLocaleDateString()}</td>
      <td>
        {status === 'active' ? (
          <button type="button" onClick={() => setRevoking(true)}>
            Revoke…<span class="unseen"> {kid}</span>
          </button>
        ) : (
          status
        )}
        {isRevoking && (
          <Confirm title={`Revoke ${kid}`} action="Revoke it" run={revoke} onClose={() => setRevoking(false)}>
            <p>All JWTs that are signed with it are refused from now on. This cannot be undone.</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

function Registration({ gateway, onDone }: { readonly gateway: Gateway; readonly onDone: () => void }) {
  const [problem, setProblem] = useState('')
  const register = async (form: HTMLFormElement) => {
    const fields = [...new FormData(form)].filter(([, value]) => value !== '')
    const answered = await gateway.send('POST', PATH, Object.fromEntries(fields))
    setProblem(answered.ok ? '' : answered.sentence)
    if (!answered.ok) return
    form.reset()
    onDone()
  }
  return (
    <form
      class="make-key"
      aria-label="Register a key"
      onSubmit={event => {
        event.preventDefault()
        void register(event.currentTarget)
      }}
    >
      <label>
        Public key: RSA, 2048 bits or more, as PEM or JWK
        <textarea name="publicKey" required rows={4} maxLength={8192} spellcheck={false} />
      </label>
      <label>
        Which shop it is for
        <input name="label" maxLength={100} autocomplete="off" placeholder="shop server" />
      </label>
      <label>
        Its kid, when your JWTs have one
        <input name="kid" maxLength={64} autocomplete="off" autocapitalize="none" placeholder="generated" />
      </label>
      <button type="submit">Register the key</button>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
