// web/console/people/users.tsx — owners add, change and end the users of their account.
import { useState } from 'preact/hooks'
import type { Answered, Gateway } from '../gateway.ts'
import { ROLES } from '../given.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useForm } from '../parts/sending.ts'
import { Table } from '../parts/table.tsx'
import { useReading } from './reading.ts'

interface User {
  readonly user: string
  readonly name: string
  readonly role: string
  readonly status: 'active' | 'ended'
  readonly oneTimeCodes: boolean
  readonly passkeys: number
  readonly createdAt: string
}

type Change = (answering: Promise<Answered<unknown>>) => Promise<string | null>

export function Users({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<{ readonly users: readonly User[] }>(gateway, '/api/users')
  const [said, setSaid] = useState('')
  const change: Change = async answering => {
    const answered = await answering
    setSaid(answered.ok ? 'Done.' : '')
    again()
    return answered.ok ? null : answered.sentence
  }
  return (
    <section aria-labelledby="users-title">
      <h2 id="users-title">Users</h2>
      <p role="alert" class="bad">
        {problem}
      </p>
      <Table name="List of users" columns={['User', 'Name', 'Role', 'Signs in by', 'Since', { unseen: 'Change' }]}>
        {body?.users.map(user => (
          <Row key={user.user} gateway={gateway} user={user} change={change} />
        ))}
      </Table>
      <p role="status" class="quiet">
        {said}
      </p>
      <AddUser gateway={gateway} change={change} />
    </section>
  )
}

interface RowProps {
  readonly gateway: Gateway
  readonly user: User
  readonly change: Change
}

function Row({ gateway, user: shown, change }: RowProps) {
  const { user, name, role, status, createdAt } = shown
  const [isEnding, setEnding] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const path = `/api/users/${encodeURIComponent(user)}`
  return (
    <tr>
      <td>{user}</td>
      <td>{name}</td>
      <td>
        {status === 'ended' ? (
          'has ended'
        ) : (
          <select
            aria-label={`Role of ${user}`}
            value={role}
            onChange={event => {
              const chosen = event.currentTarget
              void change(gateway.send('PATCH', path, { role: chosen.value })).then(refused => {
                setProblem(refused)
                if (refused !== null) chosen.value = role
              })
            }}
          >
            {Object.entries(ROLES).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
        <span role="alert" class="bad">
          {problem}
        </span>
      </td>
      <td>
        {factorsOf(shown)}
        {hasFactors(shown) && <ResetFactors gateway={gateway} user={user} change={change} />}
      </td>
      <td>{new Date(createdAt).toLocaleDateString()}</td>
      <td>
        {status === 'active' && (
          <button type="button" onClick={() => setEnding(true)}>
            End…<span class="unseen"> {user}</span>
          </button>
        )}
        {isEnding && (
          <Confirm
            title={`End ${user}`}
            action={`End ${user}`}
            run={() => change(gateway.send('DELETE', path))}
            onClose={() => setEnding(false)}
          >
            <p>
              {name} can sign in no more, and what is open of {user} is over at once. The name stays taken, because the
              audit log names it. This cannot be undone.
            </p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

function hasFactors({ status, oneTimeCodes, passkeys }: User): boolean {
  return status === 'active' && (oneTimeCodes || passkeys > 0)
}

function factorsOf({ oneTimeCodes, passkeys }: User): string {
  const count = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`
  const factors = [...(oneTimeCodes ? ['one-time codes'] : []), ...(passkeys === 0 ? [] : [count])]
  return factors.length === 0 ? 'password alone' : factors.join(', ')
}

function ResetFactors({ gateway, user, change }: Omit<RowProps, 'user'> & { readonly user: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {' '}
      <button type="button" onClick={() => setAsking(true)}>
        Reset…<span class="unseen"> one-time codes and passkeys of {user}</span>
      </button>
      {isAsking && (
        <Confirm
          title={`Reset ${user}`}
          action="Take them away"
          run={() => change(gateway.send('DELETE', `/api/users/${encodeURIComponent(user)}/factors`))}
          onClose={() => setAsking(false)}
        >
          <p>
            One-time codes and passkeys of {user} count no more; the password is enough. Do this when a phone is lost,
            and have new ones set up.
          </p>
        </Confirm>
      )}
    </>
  )
}

function AddUser({ gateway, change }: Omit<RowProps, 'user'>) {
  const { problem, onSubmit } = useForm(fields =>
    change(gateway.send('POST', '/api/users', Object.fromEntries(fields))),
  )
  return (
    <form class="filters" aria-label="Add a user" onSubmit={onSubmit}>
      <label>
        User
        <input name="user" required maxLength={64} autocapitalize="none" autocomplete="off" />
      </label>
      <label>
        Name
        <input name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        Role
        <select name="role" defaultValue="read_only">
          {Object.entries(ROLES)
            .toReversed()
            .map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
        </select>
      </label>
      <label>
        Password
        <input name="password" type="password" required minLength={12} maxLength={128} autocomplete="new-password" />
      </label>
      <button type="submit">Add</button>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
