// docs/generate.ts — writes the generated pages and the examples of answers. `npm run docs`; a test says when they are stale.
import { writeFileSync } from 'node:fs'
import { answerExamplesFile } from './generators/answer-examples.ts'
import { PAGES } from './generators/pages.ts'

for (const [name, page] of Object.entries(PAGES)) writeFileSync(new URL(name, import.meta.url), page())
writeFileSync(new URL('../src/api/describe/answer-examples.json', import.meta.url), answerExamplesFile())
