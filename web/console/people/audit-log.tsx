// web/console/people/audit-log.tsx — what users have changed, newest first.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Table } from '../parts/table.tsx'
import { useReading } from './reading.ts'

interface Entry {
  readonly at: string
  readonly by: string
  readonly action: string
  readonly subject: Readonly<Record<string, string>>
  readonly requestId: string
  readonly status: number | null
  readonly refusal: string | null
}

interface Page {
  readonly entries: readonly Entry[]
  readonly next: number | null
}

const PAGE = 25

export function AuditLog({ gateway }: { readonly gateway: Gateway }) {
  const [before, setBefore] = useState<readonly number[]>([])
  const from = before.at(-1)
  const path = `/api/audit?limit=${PAGE}${from === undefined ? '' : `&before=${from}`}`
  const { body, problem } = useReading<Page>(gateway, path)
  const next = body?.next ?? null
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title" class="after">
        Audit log
      </h2>
      <p role="alert" class="bad">
        {problem}
      </p>
      <Table name="Entries of the audit log" columns={['When', 'Who', 'What', 'To', 'Outcome']}>
        {body?.entries.map(({ at, by, action, subject, status, refusal, requestId }) => (
          <tr key={`${at} ${requestId} ${action}`}>
            <td>
              <time dateTime={at}>{new Date(at).toLocaleString()}</time>
            </td>
            <td>{by}</td>
            <td>
              <code>{action}</code>
            </td>
            <td>{Object.values(subject).join(', ')}</td>
            <td class={refusal === null ? '' : 'bad'}>{refusal ?? status ?? 'not known'}</td>
          </tr>
        ))}
      </Table>
      <p class="actions">
        {before.length > 0 && (
          <button type="button" onClick={() => setBefore(before.slice(0, -1))}>
            Newer ones
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setBefore([...before, next])}>
            Older ones
          </button>
        )}
      </p>
    </section>
  )
}
