// web/console/parts/table.tsx — a table with a heading for each column. It scrolls by itself when the window is too small.
import type { ComponentChildren } from 'preact'
import { Wide } from './scrolling.tsx'

/** Its name. `amount`: of a column of numbers. `unseen`: for those who hear the page. */
export type Column = string | { readonly amount: string } | { readonly unseen: string }

export interface TableProps {
  readonly name: string
  readonly columns: readonly Column[]
  /** The rows. */
  readonly children: ComponentChildren
}

export function Table({ name, columns, children }: TableProps) {
  return (
    <Wide name={name}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <Heading key={JSON.stringify(column)} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Wide>
  )
}

function Heading({ column }: { readonly column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>
  if ('unseen' in column)
    return (
      <th scope="col">
        <span class="unseen">{column.unseen}</span>
      </th>
    )
  return (
    <th scope="col" class="amount">
      {column.amount}
    </th>
  )
}
