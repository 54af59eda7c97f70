// web/frame/field-view.ts — one field: label, input, icon and error, linked to each other for screen readers.
import type { FieldText } from '../protocol.ts'
import { formatWhileWriting } from './caret.ts'
import { countriesIn } from './countries.ts'
import type { FieldSpec } from './fields.ts'
import type { Texts } from './texts.ts'

export interface FieldView {
  readonly spec: FieldSpec
  readonly root: HTMLElement
  readonly input: HTMLInputElement | HTMLSelectElement
  value(): string
  /** Shows an error, validity (null), or neither (undefined). */
  show(error: string | null | undefined): void
  /** Replaces the hint below the input. */
  hint(text: string): void
}

export interface FieldParts {
  readonly spec: FieldSpec
  readonly text: FieldText
  readonly texts: Texts
  readonly language: string
  readonly changed: () => void
  readonly left: () => void
}

/** Builds a field. */
export function fieldView(parts: FieldParts): FieldView {
  const { spec, text, texts } = parts
  const { name } = spec
  const root = element('div', `field field-${name}${spec.half ? ' half' : ''}`)
  const label = element('label', 'label')
  label.textContent = text.label ?? texts[name]
  label.setAttribute('for', name)
  const box = element('div', 'box')
  const input = name === 'country' ? countrySelect(parts) : textInput(parts)
  input.id = name
  input.name = name
  input.className = 'input'
  input.setAttribute('autocomplete', spec.autocomplete)
  input.setAttribute('aria-describedby', `${name}-hint ${name}-error`)
  if (spec.check('', { now: 0, cardNumber: '' }) !== null) input.setAttribute('aria-required', 'true')
  input.addEventListener('blur', parts.left)
  box.append(input)
  if (name === 'cardNumber') {
    const icon = element('span', 'card-icon')
    icon.setAttribute('aria-hidden', 'true')
    box.append(icon)
  }
  // Of the code everybody sees it; of the number it names the scheme, which the icon shows.
  const hint = element('span', name === 'cv2' ? 'hint' : 'hint unseen')
  hint.id = `${name}-hint`
  // A live region. The page's settings decide whether it is visible too.
  const error = element('p', `error${text.showValidation === true ? '' : ' unseen'}`)
  error.id = `${name}-error`
  error.setAttribute('aria-live', 'polite')
  const icon = element('span', 'validation-icon')
  icon.setAttribute('aria-hidden', 'true')
  const words = element('span', 'validation-text')
  root.append(label, box, hint, error)
  return {
    spec,
    root,
    input,
    value: () => input.value,
    show(message) {
      root.dataset['state'] = message === undefined ? 'fresh' : message === null ? 'valid' : 'error'
      if (message) input.setAttribute('aria-invalid', 'true')
      else input.removeAttribute('aria-invalid')
      if (words.textContent === (message ?? '')) return
      words.textContent = message ?? ''
      error.replaceChildren(...(message ? [icon, words] : []))
    },
    hint(sentence) {
      hint.textContent = sentence
    },
  }
}

function textInput({ spec, text, texts, changed }: FieldParts): HTMLInputElement {
  const input = document.createElement('input')
  const { writing } = spec
  input.type = 'text'
  input.inputMode = spec.inputMode
  input.spellcheck = false
  input.autocapitalize = spec.name === 'cardName' ? 'words' : 'off'
  input.setAttribute('autocorrect', 'off')
  input.placeholder = text.placeholder ?? (spec.name === 'expiryDate' ? texts.expiryPlaceholder : '')
  // No `maxLength`: what is too long gets an error instead of being cut off unseen.
  if (writing === undefined) input.addEventListener('input', changed)
  else formatWhileWriting(input, writing, changed)
  return input
}

/** Options have names in the language of the form and letter codes as values, for autofill; the number is submitted. */
function countrySelect({ texts, language, changed }: FieldParts): HTMLSelectElement {
  const select = document.createElement('select')
  const none = new Option(texts.chooseCountry, '')
  const options = countriesIn(language).map(({ letters, number, name }) => {
    const option = new Option(name, letters)
    option.dataset['number'] = number
    return option
  })
  select.append(none, ...options)
  select.addEventListener('change', changed)
  select.addEventListener('input', changed)
  return select
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.className = className
  return made
}
