// web/console/counter/waiter.tsx — keys of a waiter at the terminal: sign in, choose a table, print, split, pay, leave.
import { useState } from 'preact/hooks'
import { inWords } from '../money.ts'
import { Text } from '../parts/scrolling.tsx'
import type { PressedTerminal, Screen, WaiterOnScreen } from './terminal-screen.ts'

export interface WaiterProps {
  readonly screen: Screen
  readonly currency: string
  readonly press: PressedTerminal['press']
}

/** Nothing where the terminal is not used at tables. */
export function Waiter({ screen, currency, press }: WaiterProps) {
  const { keys, waiter } = screen
  if (waiter === null) return keys.includes('waiter') ? <SignIn press={press} /> : null
  return (
    <fieldset class="cards waiter">
      <legend>At the table</legend>
      <Tables waiter={waiter} keys={keys} press={press} />
      {waiter.table !== null && (
        <p>
          Table <strong>{waiter.table}</strong>, {inWords(waiter.openMinor, currency)} to pay
          {waiter.shares.length > 0 &&
            `, in shares: ${waiter.shares.map(share => inWords(share, currency)).join(', ')}`}
        </p>
      )}
      <Paying waiter={waiter} keys={keys} press={press} currency={currency} />
      {waiter.printed.length > 0 && (
        <details>
          <summary>The printed bill</summary>
          <Text>{waiter.printed.map(({ value }) => `${value}\n`)}</Text>
        </details>
      )}
    </fieldset>
  )
}

function SignIn({ press }: Pick<WaiterProps, 'press'>) {
  const [waiterId, setWaiterId] = useState('')
  const signIn = (event: Event) => {
    event.preventDefault()
    void press({ key: 'waiter', waiterId: waiterId.trim() })
  }
  return (
    <form class="ways" onSubmit={signIn}>
      <label>
        Waiter id
        <input value={waiterId} maxLength={32} size={8} onInput={event => setWaiterId(event.currentTarget.value)} />
      </label>
      <button type="submit">Go to the tables</button>
    </form>
  )
}

interface PartProps {
  readonly waiter: WaiterOnScreen
  readonly keys: readonly string[]
  readonly press: PressedTerminal['press']
}

function Tables({ waiter, keys, press }: PartProps) {
  if (waiter.table !== null) return null
  if (waiter.tables.length === 0)
    return <p class="quiet">No table is open. Open one at the till, then leave and come back.</p>
  return (
    <p class="ways">
      {waiter.tables.map(table => (
        <button
          key={table}
          type="button"
          disabled={!keys.includes('choose_table')}
          onClick={() => void press({ key: 'choose_table', table })}
        >
          {table}
        </button>
      ))}
    </p>
  )
}

function Paying({ waiter, keys, press, currency }: PartProps & { readonly currency: string }) {
  const [shares, setShares] = useState(2)
  const can = (key: string) => keys.includes(key)
  const [share = waiter.openMinor] = waiter.shares
  return (
    <p class="ways">
      {can('print_bill') && (
        <button type="button" onClick={() => void press({ key: 'print_bill' })}>
          Print the bill
        </button>
      )}
      {can('split_equally') && (
        <span class="ways">
          <label>
            Shares
            <input
              type="number"
              min={2}
              max={99}
              value={shares}
              onInput={event => setShares(Number(event.currentTarget.value))}
            />
          </label>
          <button
            type="button"
            disabled={!Number.isInteger(shares) || shares < 2}
            onClick={() => void press({ key: 'split_equally', shares })}
          >
            Split the bill
          </button>
        </span>
      )}
      {can('pay') && (
        <button type="button" class="main" onClick={() => void press({ key: 'pay' })}>
          Pay {inWords(share, currency)} by card
        </button>
      )}
      {can('pay_other') && (
        <button type="button" onClick={() => void press({ key: 'pay_other' })}>
          Pay {inWords(share, currency)} otherwise
        </button>
      )}
      {can('signature') && (
        <>
          <button type="button" class="main" onClick={() => void press({ key: 'signature', accepted: true })}>
            The signature matches
          </button>
          <button type="button" onClick={() => void press({ key: 'signature', accepted: false })}>
            The signature does not match
          </button>
        </>
      )}
      {can('gratuity') && <span>Type the tip on the machine, then press Enter.</span>}
      {can('leave') && (
        <button type="button" onClick={() => void press({ key: 'leave' })}>
          Leave
        </button>
      )}
    </p>
  )
}
