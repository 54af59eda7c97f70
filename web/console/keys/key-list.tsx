// web/console/keys/key-list.tsx — a list of keys, and the cell in which one is revoked: of API keys and of keys of web shops.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Table } from '../parts/table.tsx'

export interface KeyListProps<Key> {
  readonly name: string
  readonly columns: readonly string[]
  /** Undefined before the first answer. */
  readonly keys: readonly Key[] | undefined
  /** Why they could not be read. */
  readonly problem: string
  readonly row: (key: Key) => JSX.Element
}

export function KeyList<Key>({ name, columns, keys, problem, row }: KeyListProps<Key>) {
  return (
    <>
      <p role="alert" class="bad">
        {problem}
      </p>
      {keys?.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <Table name={name} columns={columns}>
          {keys?.map(row)}
        </Table>
      )}
    </>
  )
}

export interface RevocationProps {
  readonly gateway: Gateway
  /** Address of the key. */
  readonly path: string
  /** What the key is called. */
  readonly name: string
  /** Shown for a key that cannot be revoked; null for one that can. */
  readonly state: string | null
  readonly onAnswer: () => void
  /** What revoking it means. */
  readonly children: ComponentChildren
}

export function Revocation({ gateway, path, name, state, onAnswer, children }: RevocationProps) {
  const [isAsking, setAsking] = useState(false)
  const revoke = async () => {
    const answered = await gateway.send('DELETE', path)
    onAnswer()
    return answered.ok ? null : answered.sentence
  }
  return (
    <td>
      {state ?? (
        <button type="button" onClick={() => setAsking(true)}>
          Revoke…<span class="unseen"> {name}</span>
        </button>
      )}
      {isAsking && (
        <Confirm title={`Revoke ${name}`} action="Revoke it" run={revoke} onClose={() => setAsking(false)}>
          {children}
        </Confirm>
      )}
    </td>
  )
}
