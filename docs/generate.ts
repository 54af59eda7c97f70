// docs/generate.ts — writes the generated pages. `npm run docs`; a test says when they are stale.
import { writeFileSync } from 'node:fs'
import { PAGES } from './generators/pages.ts'

for (const [name, page] of Object.entries(PAGES)) writeFileSync(new URL(name, import.meta.url), page())
