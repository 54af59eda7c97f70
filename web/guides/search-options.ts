// web/guides/search-options.ts — what the search of the guides looks at: for the index and for the page that reads it.
import type { Options } from 'minisearch'

/** A section of a guide. */
export interface SearchEntry {
  /** Its address. */
  readonly id: string
  readonly heading: string
  readonly guide: string
  readonly body: string
  readonly excerpt: string
}

/** A reader looks for how to do something more often than for why it is so. */
function boostDocument(id: string): number {
  return id.includes('/decisions/') ? 0.3 : 1
}

export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['heading', 'guide', 'body'],
  storeFields: ['heading', 'guide', 'excerpt'],
  searchOptions: { boost: { heading: 4, guide: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND', boostDocument },
}
