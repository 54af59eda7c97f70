// web/console/transactions/filter-form.tsx — the search over transactions at terminals and online payments.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { STATUSES } from '../online/payment.ts'
import { addressOf } from '../places.ts'
import { type Filter, faultsIn, isNarrowed, NO_FILTER } from './filter.ts'

const RESULTS = ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'] as const

export interface FilterFormProps {
  readonly filter: Filter
  /** That amounts are typed in. */
  readonly currency: string
  readonly onChange: (filter: Filter) => void
}

/** Choices take effect at once, typed fields with the button. */
export function FilterForm({ filter, currency, onChange }: FilterFormProps) {
  const [typed, setTyped] = useState(filter)
  const [reference, setReference] = useState('')
  const faults = faultsIn(typed, currency)
  const type = (change: Partial<Filter>) => setTyped({ ...typed, ...change })
  const choose = (change: Partial<Filter>) => {
    const changed = { ...typed, ...change }
    setTyped(changed)
    if (Object.keys(faultsIn(changed, currency)).length === 0) onChange(changed)
  }
  const search = (event: Event) => {
    event.preventDefault()
    if (reference.trim() !== '') location.hash = addressOf(reference.trim())
    else choose({ terminal: typed.terminal.trim(), orderId: typed.orderId.trim() })
  }
  const input = (name: keyof Filter, label: string, more: Readonly<Record<string, unknown>> = {}) => (
    <Field name={name} label={label} fault={faults[name]}>
      <input
        id={`filter-${name}`}
        value={typed[name]}
        aria-invalid={faults[name] !== undefined}
        aria-describedby={faults[name] === undefined ? undefined : `filter-${name}-fault`}
        onInput={event => type({ [name]: event.currentTarget.value })}
        {...more}
      />
    </Field>
  )
  return (
    <form class="filters" onSubmit={search}>
      <Field name="where" label="Where">
        <select
          id="filter-where"
          value={typed.where}
          onChange={event => choose({ where: event.currentTarget.value as Filter['where'] })}
        >
          <option value="terminals">At terminals</option>
          <option value="online">Online</option>
        </select>
      </Field>
      {typed.where === 'terminals' ? (
        <Choice name="result" label="Result" value={typed.result} onChange={result => choose({ result })}>
          <option value="running">running</option>
          {RESULTS.map(result => (
            <option key={result} value={result}>
              {result}
            </option>
          ))}
        </Choice>
      ) : (
        <Choice name="status" label="Status" value={typed.status} onChange={status => choose({ status })}>
          {[...STATUSES].map(([code, { name: words }]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </Choice>
      )}
      {input('lastFour', 'Last four digits', { inputMode: 'numeric', maxLength: 4, size: 6 })}
      {input('amount', `Amount in ${currency}`, { inputMode: 'decimal', size: 8 })}
      {typed.where === 'terminals' ? input('terminal', 'Terminal') : input('orderId', 'Order id')}
      {input('from', 'From', { type: 'date' })}
      {input('to', 'To', { type: 'date' })}
      <Field name="reference" label="Reference">
        <input
          id="filter-reference"
          placeholder="its id"
          value={reference}
          onInput={event => setReference(event.currentTarget.value)}
        />
      </Field>
      <button type="submit">Search</button>
      {isNarrowed(typed) && (
        <button type="button" onClick={() => choose({ ...NO_FILTER, where: typed.where })}>
          Clear
        </button>
      )}
    </form>
  )
}

function Field({
  name,
  label,
  fault,
  children,
}: {
  readonly name: string
  readonly label: string
  readonly fault?: string | undefined
  readonly children: ComponentChildren
}) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      {children}
      {fault !== undefined && (
        <span id={`filter-${name}-fault`} class="bad">
          {fault}
        </span>
      )}
    </div>
  )
}

function Choice({
  name,
  label,
  value,
  onChange,
  children,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ComponentChildren
}) {
  return (
    <Field name={name} label={label}>
      <select id={`filter-${name}`} value={value} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">Any</option>
        {children}
      </select>
    </Field>
  )
}
