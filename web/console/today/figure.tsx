// web/console/today/figure.tsx — values over the hours of the day as columns, and a table with the same numbers.
import { Table } from '../parts/table.tsx'
import { barOf, scaleOf } from './scale.ts'

export interface Series {
  readonly name: string
  /** One value for each hour; null: none. */
  readonly values: readonly (number | null)[]
  /** Two series are told apart by their form, not by a colour. */
  readonly form: 'filled' | 'hollow'
}

export interface FigureProps {
  readonly title: string
  readonly hours: readonly number[]
  readonly series: readonly Series[]
  readonly words: (value: number) => string
}

export function FigureOverHours(props: FigureProps) {
  const { title, hours, series, words } = props
  return (
    <figure class="figure">
      <figcaption>
        {title}
        {series.length > 1 && `: ${series.map(({ name, form }) => `${name} ${form}`).join(', ')}`}
      </figcaption>
      <Columns {...props} />
      <details>
        <summary>The same as a table</summary>
        <Table name={title} columns={['Hour', ...series.map(({ name }) => ({ amount: name }))]}>
          {hours.map((hour, index) => (
            <tr key={hour}>
              <th scope="row">{timeOf(hour)}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="amount">
                  {wordsOf(values[index], words)}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}

const DAY = Array.from({ length: 24 }, (_, hour) => hour)

/** The chart. Screen readers get the table instead. */
function Columns({ hours, series, words }: FigureProps) {
  const known = series.flatMap(({ values }) => values.filter(value => value !== null))
  const scale = scaleOf(known)
  return (
    <div class="chart" aria-hidden="true">
      <span class="top-of-scale">{words(scale.high)}</span>
      <div class="columns">
        {DAY.map(hour => {
          const values = series.map(({ name, values: each }) => ({ name, value: each[hours.indexOf(hour)] }))
          const title = values.map(({ name, value }) => `${timeOf(hour)} ${name}: ${wordsOf(value, words)}`).join('\n')
          return (
            <div key={hour} class="column" title={title}>
              {series.map(({ name, form }, index) => {
                const value = values[index]?.value ?? null
                if (value === null || value === 0) return null
                const { bottom, height } = barOf(value, scale)
                return <span key={name} class={form} style={{ bottom: `${bottom}%`, height: `${height}%` }} />
              })}
            </div>
          )
        })}
        <span class="zero" style={{ bottom: `${barOf(0, scale).bottom}%` }} />
      </div>
      <div class="hours">
        {DAY.filter(hour => hour % 3 === 0).map(hour => (
          <span key={hour}>{timeOf(hour)}</span>
        ))}
      </div>
      {scale.low < 0 && <span class="top-of-scale">{words(scale.low)} at the foot</span>}
    </div>
  )
}

function timeOf(hour: number): string {
  return `${hour}:00`
}

function wordsOf(value: number | null | undefined, words: (value: number) => string): string {
  return value === null || value === undefined ? 'none' : words(value)
}
