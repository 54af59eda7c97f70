// web/frame/texts.ts — texts of the frames, by language. Pages can replace labels and errors.
import { cy } from './locales/cy.ts'
import { de } from './locales/de.ts'
import { en, type Texts } from './locales/en.ts'
import { es } from './locales/es.ts'
import { fr } from './locales/fr.ts'
import { it } from './locales/it.ts'
import { nl } from './locales/nl.ts'
import { pl } from './locales/pl.ts'

export type { Texts }
export type TextName = keyof Texts

export const LOCALES: Readonly<Record<string, Texts>> = { en, de, fr, es, it, nl, pl, cy }

/** Texts for a language tag: German for `de-AT`, English for an unknown language. */
export function textsOf(locale: string): { readonly language: string; readonly texts: Texts } {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? ''
  const texts = Object.hasOwn(LOCALES, language) ? LOCALES[language] : undefined
  return texts === undefined ? { language: 'en', texts: en } : { language, texts }
}
