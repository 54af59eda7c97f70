// web/console/transactions/timeline.tsx — what happened, between all parties, oldest first.
import { Text } from '../parts/scrolling.tsx'

/** A line of a timeline, as `/api` has it. */
export interface Entry {
  readonly at: string
  readonly from: string
  readonly to: string | null
  readonly what: string
  readonly notifications: readonly string[]
  readonly data: unknown
  readonly answer: unknown
  readonly times: number
}

export function Timeline({ entries }: { readonly entries: readonly Entry[] }) {
  const [first] = entries
  if (first === undefined) return <p class="quiet">Nothing is recorded.</p>
  const began = Date.parse(first.at)
  return (
    <ol class="timeline">
      {entries.map((entry, index) => (
        <li key={`${index} ${entry.what}`} class={entry.to === null ? 'event' : 'message'}>
          <span class="at">{((Date.parse(entry.at) - began) / 1_000).toFixed(1)} s</span>
          <details>
            <summary>
              <span class="who">{entry.to === null ? entry.from : `${entry.from} to ${entry.to}`}</span>{' '}
              <span class="what">{entry.what}</span>
              {entry.times > 1 && <span class="quiet"> {entry.times} times</span>}{' '}
              {entry.notifications.map(each => (
                <span key={each} class="tag">
                  {each}
                </span>
              ))}
            </summary>
            <Text>{JSON.stringify({ data: entry.data, answer: entry.answer }, null, 2)}</Text>
          </details>
        </li>
      ))}
    </ol>
  )
}
