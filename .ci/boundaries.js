// .ci/boundaries.js — holds the import rules of .dependency-cruiser.cjs on the project in the working directory, and fails when
// nothing was read: a cruiser that does not understand the compiler's version finds no module and calls that a success.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, format } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'

/** Fewer modules than this are not the program. */
const FEWEST_MODULES = 10
/** The program, and the programs of tests that play the other side. */
const HELD = ['src', 'web', 'test/peer'].filter(folder => existsSync(folder))
const RULES = fileURLToPath(new URL('../.dependency-cruiser.cjs', import.meta.url))

const { options, ...ruleSet } = await extractConfig(RULES)
const { output: result } = await cruise(HELD, { ...options, ruleSet, validate: true }, undefined, {
  tsConfig: extractTsConfig('./tsconfig.json'),
})
const { output, exitCode } = await format(result, { outputType: 'err-long' })
process.stdout.write(output)
process.exitCode = exitCode
// The cruiser counts what it follows into packages too, so the program's own files are counted here.
const own = result.modules.filter(module => module.source.startsWith('src/')).length
if (own < FEWEST_MODULES) {
  process.stderr.write(`Only ${own} modules were read under src: the import rules were not held.\n`)
  process.exitCode = 1
}
