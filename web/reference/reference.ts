// web/reference/reference.ts — starts Swagger UI on the reference page, and corrects what makes it hard to use.
import './reference.css'

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown

/** Swagger UI leaves out the second level of headings. */
const MISSING_LEVELS = 1

/** Parts that lie outside of Swagger UI's `main`. */
const REGIONS = { '.information-container': 'About', '.scheme-container': 'Server and keys' } as const

const reference = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Swagger UI has dark colours, which this class turns on. */
function followScheme(): void {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

/** Names fields, orders headings and takes links out of buttons. */
function correct(root: HTMLElement): void {
  for (const heading of root.querySelectorAll<HTMLElement>(':is(h3, h4, h5):not([aria-level])'))
    heading.ariaLevel = heading.matches('.models > h4')
      ? '2'
      : String(Number(heading.tagName.slice(1)) - MISSING_LEVELS)
  for (const [selector, name] of Object.entries(REGIONS))
    for (const region of root.querySelectorAll<HTMLElement>(`${selector}:not([role])`)) {
      region.role = 'region'
      region.ariaLabel = name
    }
  // The button around it does the same, and writes the address.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
  for (const button of root.querySelectorAll('.close-modal:not([aria-label])')) button.ariaLabel = 'Close'
  for (const field of root.querySelectorAll(':is(input, select, textarea):not([aria-label])')) {
    const name = nameOf(field)
    if (name !== null) field.ariaLabel = name
  }
}

function nameOf(field: Element): string | null {
  if (field.id === 'servers') return 'Server'
  if (field.matches('.examples-select-element')) return 'Example'
  if (field.matches('.body-param__text')) return 'Request body'
  return field.closest<HTMLElement>('tr[data-param-name]')?.dataset['paramName'] ?? null
}

followScheme()
dark.addEventListener('change', followScheme)
if (reference !== null)
  new MutationObserver(() => correct(reference)).observe(reference, { childList: true, subtree: true })
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // No request leaves this host.
  validatorUrl: null,
})
