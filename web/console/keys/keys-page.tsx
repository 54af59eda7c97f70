// web/console/keys/keys-page.tsx — the API keys of a user, for owners those of all: who made them, their limits, and new ones.
import type { Gateway } from '../gateway.ts'
import type { SignedIn } from '../given.ts'
import { useReading } from '../people/reading.ts'
import { JwtKeys } from './jwt-keys.tsx'
import { KeyList, Revocation } from './key-list.tsx'
import { AREAS, type ListedKey } from './listed-key.ts'
import './keys.css'
import { MakeKey } from './make-key.tsx'
import { MerchantHosts } from './merchant-hosts.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

const PATH = '/api/keys'

export interface KeysPageProps {
  readonly gateway: Gateway
  readonly signedIn: SignedIn
}

export function KeysPage({ gateway, signedIn: { rights } }: KeysPageProps) {
  const { body, problem, again } = useReading<{ readonly keys: readonly ListedKey[] }>(gateway, PATH)
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
        <KeyList
          name="List of keys"
          columns={['For', 'Made by', 'May call', 'Terminals', 'Since', 'State']}
          keys={body?.keys}
          problem={problem}
          row={key => <Row key={key.id} listed={key} gateway={gateway} mayRevoke={mayMake} again={again} />}
        />
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

interface RowProps {
  readonly listed: ListedKey
  readonly gateway: Gateway
  readonly mayRevoke: boolean
  readonly again: () => void
}

function Row({ listed, gateway, mayRevoke, again }: RowProps) {
  const { id, label, areas, terminals, status, createdAt } = listed
  const name = label === '' ? id : label
  return (
    <tr>
      <td>{name}</td>
      <td>{makerOf(listed)}</td>
      <td>{areas?.map(area => AREAS[area] ?? area).join(', ') ?? 'everything'}</td>
      <td>{terminals?.join(', ') ?? 'all'}</td>
      <td>{new Date(createdAt).toLocaleDateString()}</td>
      <Revocation
        gateway={gateway}
        path={`${PATH}/${encodeURIComponent(id)}`}
        name={name}
        state={status === 'active' && mayRevoke ? null : STATES[status]}
        onAnswer={again}
      >
        <p>Whatever calls with this key is refused from now on. This cannot be undone.</p>
      </Revocation>
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
