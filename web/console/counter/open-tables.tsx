// web/console/counter/open-tables.tsx — the tables that the till has uploaded: open one, see it being paid, close it.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords, minorOf } from '../money.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Table } from '../parts/table.tsx'

interface OpenTable {
  readonly tableName: string
  readonly amount: number
  readonly amountPaid: number
  readonly locked: boolean
}

/** How often the tables are read while they are shown, in milliseconds. */
const EVERY_MS = 1_000

export function OpenTables({ gateway, currency }: { readonly gateway: Gateway; readonly currency: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <details class="tables" onToggle={event => setShown(event.currentTarget.open)}>
      <summary>Tables</summary>
      {isShown && <Tables gateway={gateway} currency={currency} />}
    </details>
  )
}

function Tables({ gateway, currency }: { readonly gateway: Gateway; readonly currency: string }) {
  const { tables, problem, say, read } = useTables(gateway, currency)
  const [closing, setClosing] = useState<OpenTable | null>(null)
  return (
    <>
      <OpenForm
        currency={currency}
        open={async (tableName, amount) => {
          const receiptLines = [{ value: `Set menu ${inWords(amount, currency)}` }]
          const body = { tableName, amount, currency, receiptLines }
          const answered = await gateway.send('PUT', '/pat/tables', body)
          say(answered.ok ? null : answered.sentence)
          await read()
        }}
      />
      <p role="alert" class="bad">
        {problem}
      </p>
      {tables.length === 0 && (
        <p class="quiet">No table is open. Open one here, then go to the tables at the terminal.</p>
      )}
      {tables.length > 0 && (
        <Table
          name="Open tables"
          columns={['Table', { amount: 'Bill' }, { amount: 'Paid' }, 'State', { unseen: 'What to do' }]}
        >
          {tables.map(table => (
            <tr key={table.tableName}>
              <th scope="row">{table.tableName}</th>
              <td class="amount">{inWords(table.amount, currency)}</td>
              <td class="amount">{inWords(table.amountPaid, currency)}</td>
              <td>{stateOf(table)}</td>
              <td>
                <button type="button" onClick={() => setClosing(table)}>
                  Close…<span class="unseen"> {table.tableName}</span>
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {closing !== null && (
        <CloseTable
          gateway={gateway}
          table={closing}
          currency={currency}
          onClose={() => {
            setClosing(null)
            void read()
          }}
        />
      )}
    </>
  )
}

function stateOf({ locked, amount, amountPaid }: OpenTable): string {
  if (amountPaid >= amount) return 'paid'
  return locked ? 'at a terminal' : 'open'
}

function OpenForm({
  currency,
  open,
}: {
  readonly currency: string
  readonly open: (tableName: string, amount: number) => Promise<void>
}) {
  const [name, setName] = useState('Window 2')
  const [amount, setAmount] = useState('54.00')
  const minor = minorOf(amount, currency)
  const isReady = name.trim() !== '' && minor !== null
  const submit = (event: Event) => {
    event.preventDefault()
    if (isReady) void open(name.trim(), minor)
  }
  return (
    <form class="start" onSubmit={submit}>
      <label>
        Table
        <input value={name} maxLength={50} onInput={event => setName(event.currentTarget.value)} />
      </label>
      <label>
        Bill in {currency}
        <input
          inputMode="decimal"
          value={amount}
          aria-invalid={minor === null}
          onInput={event => setAmount(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={!isReady}>
        Open the table
      </button>
    </form>
  )
}

/** Closes what was last seen: when something was paid meanwhile, the gateway refuses it. */
function CloseTable({
  gateway,
  table,
  currency,
  onClose,
}: {
  readonly gateway: Gateway
  readonly table: OpenTable
  readonly currency: string
  readonly onClose: () => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const { tableName, amount, amountPaid } = table
  const close = async () => {
    const body = { lastKnownAmount: amount, lastKnownPaidAmount: amountPaid }
    const answered = await gateway.send('DELETE', `/pat/tables/${encodeURIComponent(tableName)}`, body)
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) onClose()
  }
  const unpaid = amount - amountPaid
  return (
    <Dialog
      title={`Close ${tableName}`}
      doIt="Close the table"
      isReady
      problem={problem}
      onConfirm={close}
      onClose={onClose}
    >
      <p>
        {inWords(amountPaid, currency)} of {inWords(amount, currency)} are paid.{' '}
        {unpaid > 0 && `${inWords(unpaid, currency)} stay unpaid. `}
        The terminals no longer show the table, and its name is free again. Its payments stay.
      </p>
    </Dialog>
  )
}

/** The open tables in a currency: their bodies do not say it. */
function useTables(gateway: Gateway, currency: string) {
  const [tables, setTables] = useState<readonly OpenTable[]>([])
  const [problem, say] = useState<string | null>(null)
  const read = useCallback(async () => {
    const answered = await gateway.get<{ readonly tables: readonly OpenTable[] }>(`/pat/tables?currency=${currency}`)
    if (answered.ok) setTables(answered.body.tables)
    else say(answered.sentence)
  }, [gateway, currency])
  useEffect(() => {
    void read()
    const again = setInterval(() => {
      if (!document.hidden) void read()
    }, EVERY_MS)
    return () => clearInterval(again)
  }, [read])
  return { tables, problem, say, read }
}
