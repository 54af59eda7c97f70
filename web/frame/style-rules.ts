// web/frame/style-rules.ts — applies the page's styles: validated, and set property by property in an existing style sheet,
// so that no value is parsed as a rule.
import type { CssMap, FieldStyle, FormSettings } from '../protocol.ts'

const FIELDS = ['cardName', 'cardNumber', 'expiryDate', 'cv2'] as const

/** Rejected in values: text that could load a resource or end the declaration. */
const FORBIDDEN = /url\(|image-set\(|expression|[<{};@\\]/i

/** States by rising priority. Each adds to the ones before. */
const STATES: readonly (readonly [name: string, selector: string])[] = [
  ['default', '.input'],
  ['valid', '[data-state=valid] .input'],
  ['error', '[data-state=error] .input'],
  ['focus', '.input:focus'],
  ['validFocus', '[data-state=valid] .input:focus'],
  ['errorFocus', '[data-state=error] .input:focus'],
  ['label', '.label'],
  ['validationText', '.validation-text'],
  ['validationIcon', '.validation-icon'],
]

/** Adds the rules to the style sheet. */
export function applyStyles(sheet: CSSStyleSheet, styles: FormSettings['styles']): void {
  const base = states(styles['base'])
  for (const [state, selector] of STATES) {
    add(sheet, fieldSelector('.field', selector), base[state])
    for (const field of FIELDS) add(sheet, fieldSelector(`.field-${field}`, selector), states(styles[field])[state])
  }
  add(sheet, 'form .field.field', base['container'])
  for (const field of FIELDS) add(sheet, `form .field.field-${field}`, states(styles[field])['container'])
  add(sheet, 'form .box .card-icon', plain(styles['cardIcon']))
  add(sheet, 'form.form.form', plain(styles['form']))
}

/** All selectors have one specificity, above that of our own styles, so that their order decides. */
function fieldSelector(field: string, selector: string): string {
  const [state, part] = selector.startsWith('[') ? selector.split(' ') : ['', selector]
  return `form .field${field}${state || ':not(._)'} ${part}`
}

function add(sheet: CSSStyleSheet, selector: string, map: CssMap | undefined): void {
  const declarations = Object.entries(map ?? {}).filter(
    ([, value]) => typeof value === 'string' && !FORBIDDEN.test(value),
  )
  if (declarations.length === 0) return
  const place = sheet.insertRule(`${selector} {}`, sheet.cssRules.length)
  const rule = sheet.cssRules[place]
  if (!(rule instanceof CSSStyleRule)) return
  // The browser drops unknown properties and values.
  for (const [name, value] of declarations) {
    const [plainValue, important] = value.split(/\s*!important\s*$/i)
    rule.style.setProperty(hyphened(name), plainValue ?? '', important === undefined ? '' : 'important')
  }
}

/** `boxShadow` and `box-shadow` are the same property. */
function hyphened(name: string): string {
  return name.startsWith('--') ? '' : name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

function states(style: FieldStyle | CssMap | undefined): Readonly<Record<string, CssMap>> {
  return Object.fromEntries(
    Object.entries(style ?? {}).filter((entry): entry is [string, CssMap] => typeof entry[1] === 'object'),
  )
}

function plain(style: FieldStyle | CssMap | undefined): CssMap {
  return Object.fromEntries(
    Object.entries(style ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
