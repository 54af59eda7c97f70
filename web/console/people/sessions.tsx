// web/console/people/sessions.tsx — the sessions that are open, each to be ended.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Table } from '../parts/table.tsx'
import { browserIn } from './browser-name.ts'
import { useReading } from './reading.ts'

interface Session {
  readonly id: string
  readonly user: string
  readonly agent: string
  readonly startedAt: string
  readonly usedAt: string
  readonly current: boolean
}

export function Sessions({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<{ readonly sessions: readonly Session[] }>(gateway, '/api/sessions')
  const [refused, setRefused] = useState('')
  const end = async (id: string) => {
    const answered = await gateway.send('DELETE', `/api/sessions/${id}`)
    setRefused(answered.ok ? '' : answered.sentence)
    again()
  }
  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title" class="after">
        Sessions
      </h2>
      <p role="alert" class="bad">
        {problem || refused}
      </p>
      <Table name="List of sessions" columns={['User', 'Browser', 'Since', 'Last used', { unseen: 'End it' }]}>
        {body?.sessions.map(({ id, user, agent, startedAt, usedAt, current }) => (
          <tr key={id}>
            <td>{user}</td>
            <td title={agent}>{browserIn(agent)}</td>
            <td>{new Date(startedAt).toLocaleString()}</td>
            <td>{new Date(usedAt).toLocaleString()}</td>
            <td>
              {current ? (
                'this one'
              ) : (
                <button type="button" onClick={() => void end(id)}>
                  End<span class="unseen"> the session of {user}</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
