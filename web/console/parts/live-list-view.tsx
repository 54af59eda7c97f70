// web/console/parts/live-list-view.tsx — a live list: whether it is live, its filters, its items, and older ones.
import type { ComponentChildren } from 'preact'
import type { LivePages } from './live-pages.ts'

export interface LiveListProps<Item> {
  readonly list: LivePages<Item>
  readonly filters: ComponentChildren
  /** Shown when there are none: what to do to see one. */
  readonly empty: ComponentChildren
  readonly children: (items: readonly Item[]) => ComponentChildren
}

export function LiveList<Item>({ list, filters, empty, children }: LiveListProps<Item>) {
  const { items, problem, isLive, hasMore, more } = list
  return (
    <>
      <p role="status" class={isLive ? 'live' : 'live lost'}>
        {isLive ? 'Live: changes appear by themselves.' : 'Connecting; changes will appear when the gateway answers.'}
      </p>
      {filters}
      <p role="alert" class="bad">
        {problem}
      </p>
      {items === null && problem === null && <p class="quiet">Looking…</p>}
      {items?.length === 0 && <p class="empty">{empty}</p>}
      {items !== null && items.length > 0 && children(items)}
      {hasMore && (
        <button type="button" onClick={more}>
          Older ones
        </button>
      )}
    </>
  )
}
