// web/console/people/passkeys.tsx — users add and remove their passkeys.
import { startRegistration } from '@simplewebauthn/browser'
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { useForm } from '../parts/sending.ts'
import { Table } from '../parts/table.tsx'
import { passkeyProblem, whyNoPasskeys } from './passkey-support.ts'
import { useReading } from './reading.ts'

const PATH = '/api/session/passkeys'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly addedAt: string
  readonly usedAt: string | null
}

export function Passkeys({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<{ readonly passkeys: readonly Passkey[] }>(gateway, PATH)
  const [refused, setRefused] = useState('')
  const unavailable = whyNoPasskeys()
  const remove = async (id: string) => {
    const answered = await gateway.send('DELETE', `${PATH}/${id}`)
    setRefused(answered.ok ? '' : answered.sentence)
    again()
  }
  return (
    <section aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" class="after">
        Passkeys
      </h2>
      <p class="quiet">Sign in with the finger, face or PIN of your phone or computer instead of a password.</p>
      <p role="alert" class="bad">
        {problem || refused}
      </p>
      {body !== null && body.passkeys.length > 0 && (
        <Table name="List of passkeys" columns={['Name', 'Added', 'Last used', { unseen: 'Remove it' }]}>
          {body.passkeys.map(({ id, name, addedAt, usedAt }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{new Date(addedAt).toLocaleString()}</td>
              <td>{usedAt === null ? 'never' : new Date(usedAt).toLocaleString()}</td>
              <td>
                <button type="button" onClick={() => void remove(id)}>
                  Remove<span class="unseen"> {name}</span>
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {unavailable === null ? <Addition gateway={gateway} onAdded={again} /> : <p>{unavailable}</p>}
    </section>
  )
}

function Addition({ gateway, onAdded }: { readonly gateway: Gateway; readonly onAdded: () => void }) {
  const { problem, onSubmit } = useForm(async fields => {
    const options = await gateway.get<Parameters<typeof startRegistration>[0]['optionsJSON']>(`${PATH}/creation`)
    if (!options.ok) return options.sentence
    try {
      const credential = await startRegistration({ optionsJSON: options.body })
      const answered = await gateway.send('POST', PATH, { ...Object.fromEntries(fields), credential })
      if (!answered.ok) return answered.sentence
    } catch (error) {
      return passkeyProblem(error)
    }
    onAdded()
    return null
  })
  return (
    <form class="filters" aria-label="Add a passkey" onSubmit={onSubmit}>
      <label>
        Name of the passkey
        <input name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        Your password
        <input name="password" type="password" required autocomplete="current-password" />
      </label>
      <button type="submit">Add a passkey</button>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
