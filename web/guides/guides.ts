// web/guides/guides.ts — the search of the guides, and their navigation on small screens.
import MiniSearch from 'minisearch'
import './guides.css'
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts'

const MOST_RESULTS = 12
const INDEX = '/docs/guides/files/search.json'

type Found = Pick<SearchEntry, 'id' | 'heading' | 'guide' | 'excerpt'>

/** The index is fetched when the search is first used. */
let index: Promise<MiniSearch<SearchEntry>> | null = null

function loadedIndex(): Promise<MiniSearch<SearchEntry>> {
  index ??= fetch(INDEX)
    .then(answer => answer.text())
    .then(text => MiniSearch.loadJSON<SearchEntry>(text, SEARCH_OPTIONS))
  // A failed download is tried again at the next letter.
  index.catch(() => {
    index = null
  })
  return index
}

function openSearch(form: HTMLFormElement): void {
  const field = form.querySelector('input')
  const status = form.querySelector('[role=status]')
  const list = form.querySelector('ol')
  if (field === null || status === null || list === null) return
  const show = (results: readonly Found[], text: string): void => {
    list.replaceChildren(...results.map(resultOf))
    status.textContent = text
  }
  const search = async (): Promise<void> => {
    const text = field.value.trim()
    if (text === '') return show([], '')
    try {
      const found = (await loadedIndex()).search(text) as unknown as readonly Found[]
      // A later letter may have been answered first.
      if (field.value.trim() === text) show(found.slice(0, MOST_RESULTS), countOf(found.length, text))
    } catch {
      show([], 'The search cannot be loaded.')
    }
  }
  field.addEventListener('focus', () => void loadedIndex().catch(() => {}), { once: true })
  field.addEventListener('input', () => void search())
  form.addEventListener('submit', event => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', event => move(event, field, list, () => show([], '')))
  form.hidden = false
}

/** Arrows move through the results; Escape clears them. */
function move(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement, clear: () => void): void {
  if (event.key === 'Escape') {
    field.value = ''
    clear()
    field.focus()
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus()
  event.preventDefault()
}

function resultOf({ id, heading, guide, excerpt }: Found): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const of = document.createElement('span')
  const text = document.createElement('p')
  link.href = id
  link.textContent = heading
  of.textContent = heading === guide ? '' : guide
  text.textContent = excerpt
  link.append(of)
  item.append(link, text)
  return item
}

function countOf(count: number, text: string): string {
  if (count === 0) return `Nothing found for “${text}”.`
  return count > MOST_RESULTS
    ? `The best ${MOST_RESULTS} of ${count} results`
    : `${count} ${count === 1 ? 'result' : 'results'}`
}

/** The list of guides is open on wide screens only. */
function foldOn(narrow: MediaQueryList, list: HTMLDetailsElement): void {
  const fold = (): void => {
    list.open = !narrow.matches
  }
  fold()
  narrow.addEventListener('change', fold)
}

const form = document.querySelector<HTMLFormElement>('#guide-search')
if (form !== null) openSearch(form)
const list = document.querySelector<HTMLDetailsElement>('#guide-list')
if (list !== null) foldOn(matchMedia('(max-width: 56rem)'), list)
