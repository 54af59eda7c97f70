// web/client/settings.ts — reads the page's configuration. Only plain data is sent to the frame.
import type { CssMap, FieldStyle, FieldText, FormSettings } from '../protocol.ts'
import { colourSchemeOf } from './colour-scheme.ts'

/** Configuration as the page passes it, unvalidated. */
export type Config = Readonly<Record<string, unknown>>

const ADDRESS = 'billingAddress'

/** The part of the configuration that the frame needs. */
export function settingsOf(config: Config, container: Element | null): FormSettings {
  const text = record(config['text'])
  const button = record(config['buttonConfig'])
  const page = container ?? document.documentElement
  const locale = string(config['locale']) || page.closest('[lang]')?.getAttribute('lang') || 'en'
  return {
    styles: mapOf(config['styles'], stylesOf),
    text: mapOf(text, textOf),
    addressText: mapOf(text[ADDRESS], textOf),
    errorMessages: mapOf(config['errorMessages'], string),
    fontCss: list(config['fontCss']).map(string).filter(Boolean),
    billingAddressRequired: isTrue(config['billingAddressRequired']),
    emailRequired: isTrue(config['emailRequired']),
    shippingAddressRequired: isTrue(config['shippingAddressRequired']),
    hideCv2: isTrue(config['hideCv2']),
    locale,
    direction: getComputedStyle(page).direction === 'rtl' ? 'rtl' : 'ltr',
    colourScheme: colourSchemeOf(page),
    button: {
      colour: (button['color'] ?? button['colour']) === 'white' ? 'white' : 'black',
      type: string(button['type']) || 'plain',
    },
  }
}

/** The token in `paymentDetails`; empty without one. With `Dojo` it is called `clientSessionSecret`. */
export function tokenOf(details: unknown): string {
  const { paymentToken, clientSessionSecret } = record(details)
  return string(paymentToken) || string(clientSessionSecret)
}

/** The given callback, or one that does nothing. */
export function callback(value: unknown): (...args: readonly unknown[]) => void {
  return typeof value === 'function' ? (value as (...args: readonly unknown[]) => void) : () => {}
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Published samples use the text "true". */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

function mapOf<T>(value: unknown, read: (entry: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, entry]) => [key, read(entry)]))
}

/** Styles of a field by state, or the flat map of the form and the card icon. */
function stylesOf(value: unknown): FieldStyle | CssMap {
  const entries = Object.entries(record(value))
  const plain = entries.filter(([, entry]) => typeof entry === 'string')
  const nested = entries.filter(([, entry]) => typeof entry === 'object')
  return plain.length > 0
    ? (Object.fromEntries(plain) as CssMap)
    : Object.fromEntries(nested.map(([state, map]) => [state, mapOf(map, string)]))
}

function textOf(value: unknown): FieldText {
  const { label, placeholder, showValidation } = record(value)
  return {
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    // An empty placeholder is ignored.
    ...(typeof placeholder === 'string' && placeholder !== '' ? { placeholder } : {}),
    ...(showValidation === undefined ? {} : { showValidation: isTrue(showValidation) }),
  }
}
