// web/console/keys/keys-page.tsx — the API keys of a user, for owners those of all: who made them, their limits, and new ones.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import type { SignedIn } from '../given.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Table } from '../parts/table.tsx'
import { useReading } from '../people/reading.ts'
import { JwtKeys } from './jwt-keys.tsx'
import { AREAS, type ListedKey } from './listed-key.ts'
import './keys.css'
import { MakeKey } from './make-key.tsx'
import { MerchantHosts } from './merchant-hosts.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export interface KeysPageProps {
  readonly gateway: Gateway
  readonly signedIn: SignedIn
}

export function KeysPage({ gateway, signedIn: { rights } }: KeysPageProps) {
  const { body, problem, again } = useReading<{ readonly keys: readonly ListedKey[] }>(gateway, '/api/keys')
  const mayMake = rights.includes('configure')
  return (
    <>
      <h1>Keys</h1>
      <p class="lead">
        Tills and servers call with an API key. A key that you make may do what your role allows, and stops when your
        user ends. <a href="/docs/guides/keys-and-accounts">More about keys</a>
      </p>
      {mayMake ? (
        <MakeKey gateway={gateway} onMade={again} />
      ) : (
        <p>Your role does not allow making keys. A developer or an owner can.</p>
      )}
      <section aria-labelledby="keys-title">
        <h2 id="keys-title">{rights.includes('own') ? 'Keys of the account' : 'Your keys'}</h2>
        <p role="alert" class="bad">
          {problem}
        </p>
        {body?.keys.length === 0 ? (
          <p class="empty">None yet.</p>
        ) : (
          <Keys gateway={gateway} keys={body?.keys ?? []} again={again} mayRevoke={mayMake} />
        )}
      </section>
      {mayMake && (
        <>
          <JwtKeys gateway={gateway} />
          <WebhookSecret gateway={gateway} />
        </>
      )}
      <MerchantHosts gateway={gateway} />
    </>
  )
}

interface KeysProps {
  readonly gateway: Gateway
  readonly keys: readonly ListedKey[]
  readonly mayRevoke: boolean
  readonly again: () => void
}

function Keys({ keys, ...props }: KeysProps) {
  return (
    <Table name="List of keys" columns={['For', 'Made by', 'May call', 'Terminals', 'Since', 'State']}>
      {keys.map(key => (
        <Row key={key.id} listed={key} {...props} />
      ))}
    </Table>
  )
}

function Row({ listed, gateway, mayRevoke, again }: Omit<KeysProps, 'keys'> & { readonly listed: ListedKey }) {
  const [isRevoking, setRevoking] = useState(false)
  const { id, label, areas, terminals, status, createdAt } = listed
  const name = label === '' ? id : label
  const revoke = async () => {
    const answered = await gateway.send('DELETE', `/api/keys/${encodeURIComponent(id)}`)
    again()
    return answered.ok ? null : answered.sentence
  }
  return (
    <tr>
      <td>{name}</td>
      <td>{makerOf(listed)}</td>
      <td>{areas?.map(area => AREAS[area] ?? area).join(', ') ?? 'everything'}</td>
      <td>{terminals?.join(', ') ?? 'all'}</td>
      <td>{new Date(createdAt).toLocaleDateString()}</td>
      <td>
        {status === 'active' && mayRevoke ? (
          <button type="button" onClick={() => setRevoking(true)}>
            Revoke…<span class="unseen"> {name}</span>
          </button>
        ) : (
          STATES[status]
        )}
        {isRevoking && (
          <Confirm title={`Revoke ${name}`} action="Revoke it" run={revoke} onClose={() => setRevoking(false)}>
            <p>Whatever calls with this key is refused from now on. This cannot be undone.</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

const STATES: Readonly<Record<ListedKey['status'], string>> = {
  active: 'in force',
  ended: 'has ended with its user',
  revoked: 'revoked',
}

function makerOf({ user, madeBy }: ListedKey): string {
  if (user !== null) return user
  return madeBy === 'before_users' ? 'before there were users' : 'the command line'
}
