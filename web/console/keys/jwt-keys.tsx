// web/console/keys/jwt-keys.tsx — public keys with which web shops sign their own JWTs: listed, registered, revoked.
import type { Gateway } from '../gateway.ts'
import { useForm } from '../parts/sending.ts'
import { useReading } from '../people/reading.ts'
import { KeyList, Revocation } from './key-list.tsx'

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
      <KeyList
        name="List of keys of web shops"
        columns={['kid', 'For', 'Since', 'State']}
        keys={body?.keys}
        problem={problem}
        row={key => <Row key={key.id} listed={key} gateway={gateway} again={again} />}
      />
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
  return (
    <tr>
      <td>
        <code>{kid}</code>
      </td>
      <td>{label}</td>
      <td>{new Date(createdAt).toLocaleDateString()}</td>
      <Revocation
        gateway={gateway}
        path={`${PATH}/${encodeURIComponent(id)}`}
        name={kid}
        state={status === 'active' ? null : status}
        onAnswer={again}
      >
        <p>All JWTs that are signed with it are refused from now on. This cannot be undone.</p>
      </Revocation>
    </tr>
  )
}

function Registration({ gateway, onDone }: { readonly gateway: Gateway; readonly onDone: () => void }) {
  const { problem, onSubmit } = useForm(async fields => {
    const filled = [...fields].filter(([, value]) => value !== '')
    const answered = await gateway.send('POST', PATH, Object.fromEntries(filled))
    if (!answered.ok) return answered.sentence
    onDone()
    return null
  })
  return (
    <form class="make-key" aria-label="Register a key" onSubmit={onSubmit}>
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
