// docs/generators/pages.ts — which pages are generated, and by what.
import { apiPage } from './api.ts'
import { errorsPage } from './errors.ts'
import { scenariosPage } from './scenarios.ts'
import { settingsPage } from './settings.ts'
import { statesPage } from './states.ts'

/** Page names in `docs/` and what makes their text. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'api.md': apiPage,
  'errors.md': errorsPage,
  'scenarios.md': scenariosPage,
  'settings.md': settingsPage,
  'states.md': statesPage,
}
