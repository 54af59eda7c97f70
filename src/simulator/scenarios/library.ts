// src/simulator/scenarios/library.ts — all scenarios that an account can name: the library, those that the
// installation has as files, and its own.

import type { ScenarioListing } from '../controls.ts'
import { faultIn } from '../faults/catalogue.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { type Problem, sentenceOf } from '../strict-reading.ts'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from './built-in.ts'
import type { ScenarioDocument } from './document.ts'
import { type NamedScenario, readScenario, writeScenario } from './document-reader.ts'
import type { Scenario } from './scenario.ts'
import { TITLES } from './titles.ts'

/** Scenarios of one account: more than anybody keeps an overview of. */
const MOST_OWN = 500

export interface ScenarioLibrary {
  list(account: string): readonly ScenarioListing[]
  /**
   * The scenario that a text names: a name, a name with faults (`declined+slow_acquirer:5000`), or faults alone, which are
   * then those of the scenario that `otherwise` gives.
   */
  find(account: string, text: string, otherwise: () => Scenario): Scenario | null
  documentOf(account: string, name: string): ScenarioDocument | null
  /** Keeps a scenario of the account's own. */
  define(account: string, document: unknown): { readonly name: string } | { readonly problems: readonly Problem[] }
  /** False: the account has none of that name. */
  forget(account: string, name: string): boolean
}

/**
 * The book over a memory.
 * @param files what the directory of the installation holds, one document a file
 * @throws Error when one of them cannot be played; `problemsOfFiles` says so beforehand
 */
export function createScenarioLibrary(memory: SimulatedMemory, files: readonly unknown[]): ScenarioLibrary {
  const filed = new Map(files.map(playable).map(each => [each.document.name, each]))

  function own(account: string, name: string): NamedScenario | null {
    const body = memory.read('scenario', `${account}/${name}`)
    const read = body === null ? null : readScenario(JSON.parse(body))
    // A newer program may have another library; what it cannot play any more is not there.
    return read !== null && 'value' in read ? read.value : null
  }

  function called(account: string, name: string): Scenario | null {
    if (isInLibrary(name)) return SCENARIOS[name]
    return (filed.get(name) ?? own(account, name))?.scenario ?? null
  }

  return {
    list(account) {
      const owned = memory.list('scenario', { parent: account, limit: MOST_OWN }).toReversed()
      return [
        ...SCENARIO_NAMES.map((name): ScenarioListing => ({ name, ...TITLES[name], from: 'library' })),
        ...[...filed.values()].map(({ document }) => listing(document, 'files')),
        ...owned.map(({ body }) => listing(JSON.parse(body) as ScenarioDocument, 'account')),
      ]
    },
    find(account, text, otherwise) {
      const [first = '', ...others] = text.split('+')
      const named = called(account, first)
      const faults = (named === null ? [first, ...others] : others).map(faultIn)
      if (!faults.every(fault => fault !== null)) return null
      const scenario = named ?? otherwise()
      return faults.length === 0 ? scenario : { ...scenario, faults: [...scenario.faults, ...faults] }
    },
    documentOf(account, name) {
      if (isInLibrary(name)) return writeScenario(name, TITLES[name].title, SCENARIOS[name])
      return (filed.get(name) ?? own(account, name))?.document ?? null
    },
    define(account, document) {
      const read = readScenario(document)
      if ('problems' in read) return read
      const { name } = read.value.document
      if (filed.has(name))
        return { problems: [{ at: 'name', says: `is taken: this installation has a file with a scenario ${name}` }] }
      const known = memory.list('scenario', { parent: account, limit: MOST_OWN })
      if (known.length === MOST_OWN && own(account, name) === null)
        return { problems: [{ at: '', says: `would be one too many: an account may have ${MOST_OWN} scenarios` }] }
      const body = JSON.stringify(read.value.document)
      memory.write([{ collection: 'scenario', key: `${account}/${name}`, parent: account, body }])
      return { name }
    },
    forget(account, name) {
      if (own(account, name) === null) return false
      memory.erase('scenario', `${account}/${name}`)
      return true
    },
  }
}

/** What keeps documents of files from being played, a sentence each with the file's name; empty when nothing does. */
export function problemsOfFiles(
  files: readonly { readonly file: string; readonly document: unknown }[],
): readonly string[] {
  const names = new Map<string, string>()
  return files.flatMap(({ file, document }) => {
    const read = readScenario(document)
    if ('problems' in read) return read.problems.map(problem => `${file}: ${sentenceOf(problem)}`)
    const { name } = read.value.document
    const other = names.get(name)
    names.set(name, file)
    return other === undefined ? [] : [`${file}: name is taken: ${other} has a scenario ${name} too.`]
  })
}

function playable(document: unknown): NamedScenario {
  const read = readScenario(document)
  if ('problems' in read) throw new Error(read.problems.map(sentenceOf).join(' '))
  return read.value
}

function listing({ name, title = '' }: ScenarioDocument, from: ScenarioListing['from']): ScenarioListing {
  return { name, title, from, rows: '' }
}

function isInLibrary(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name)
}
