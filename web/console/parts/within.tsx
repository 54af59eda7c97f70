// web/console/parts/within.tsx — the views of a page, to choose from.

export interface WithinProps {
  readonly page: string
  /** The first has no id: it is the beginning of the page. */
  readonly views: readonly { readonly id: string | null; readonly name: string }[]
  /** The view that is shown. */
  readonly id: string | null
}

export function Within({ page, views, id }: WithinProps) {
  return (
    <nav class="within" aria-label="Views of this page">
      {views.map(view => (
        <a
          key={view.id}
          href={view.id === null ? `#/${page}` : `#/${page}/${view.id}`}
          aria-current={view.id === id ? 'page' : undefined}
        >
          {view.name}
        </a>
      ))}
    </nav>
  )
}
