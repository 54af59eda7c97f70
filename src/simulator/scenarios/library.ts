// src/simulator/scenarios/library.ts — scenarios that an account can name: built in, from the installation's files, and its
// own.

import { MISPLACED, type Problem, sentenceOf } from '../../api/read/strict-document.ts'
import { idHoldsCardNumber, maskCardNumbers } from '../../domain/card-numbers.ts'
import type { ScenarioListing } from '../controls.ts'
import { faultIn } from '../faults/catalogue.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from './built-in.ts'
import type { ScenarioDocument } from './document.ts'
import { type NamedScenario, readScenario, writeScenario } from './document-reader.ts'
import type { Scenario } from './scenario.ts'
import { TITLES } from './titles.ts'

/** Upper bound of an account's own scenarios. */
const MOST_SCENARIOS = 500

export interface ScenarioLibrary {
  list(account: string): readonly ScenarioListing[]
  /**
   * Looks up a name, a name with faults (`declined+slow_acquirer:5000`), or faults alone, which apply to the scenario of
   * `otherwise`. Null when a part is unknown.
   */
  find(account: string, text: string, otherwise: () => Scenario): Scenario | null
  documentOf(account: string, name: string): ScenarioDocument | null
  /** Stores a scenario of the account. */
  define(account: string, document: unknown): { readonly name: string } | { readonly problems: readonly Problem[] }
  /** False when the account has no scenario of that name. */
  forget(account: string, name: string): boolean
}

/**
 * Creates the library.
 * @param files documents from the installation's directory
 * @throws Error when one of them cannot be played; `problemsOfFiles` reports that beforehand
 */
export function createScenarioLibrary(memory: SimulatedMemory, files: readonly unknown[]): ScenarioLibrary {
  const filed = new Map(files.map(playable).map(each => [each.document.name, each]))

  function ofAccount(account: string, name: string): NamedScenario | null {
    const body = memory.read('scenario', `${account}/${name}`)
    const read = body === null ? null : readScenario(JSON.parse(body))
    // The built-in scenarios may have changed since: a document that cannot be played any more does not exist.
    return read !== null && 'value' in read ? read.value : null
  }

  function called(account: string, name: string): Scenario | null {
    if (isInLibrary(name)) return SCENARIOS[name]
    return (filed.get(name) ?? ofAccount(account, name))?.scenario ?? null
  }

  return {
    list(account) {
      const added = memory.list('scenario', { parent: account, limit: MOST_SCENARIOS }).toReversed()
      return [
        ...SCENARIO_NAMES.map((name): ScenarioListing => ({ name, ...TITLES[name], from: 'library' })),
        ...[...filed.values()].map(({ document }) => listing(document, 'files')),
        ...added.map(({ body }) => listing(JSON.parse(body) as ScenarioDocument, 'account')),
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
      return (filed.get(name) ?? ofAccount(account, name))?.document ?? null
    },
    define(account, document) {
      const read = readScenario(document)
      if ('problems' in read) return read
      const { name, title } = read.value.document
      if (idHoldsCardNumber(name)) return { problems: [{ at: 'name', says: MISPLACED }] }
      if (filed.has(name))
        return { problems: [{ at: 'name', says: `is taken: this installation has a file with a scenario ${name}` }] }
      const known = memory.list('scenario', { parent: account, limit: MOST_SCENARIOS })
      if (known.length === MOST_SCENARIOS && ofAccount(account, name) === null)
        return {
          problems: [{ at: '', says: `cannot be added: an account may have at most ${MOST_SCENARIOS} scenarios` }],
        }
      const masked = title === undefined ? {} : { title: maskCardNumbers(title) }
      const body = JSON.stringify({ ...read.value.document, ...masked })
      memory.write([{ collection: 'scenario', key: `${account}/${name}`, parent: account, body }])
      return { name }
    },
    forget(account, name) {
      if (ofAccount(account, name) === null) return false
      memory.erase('scenario', `${account}/${name}`)
      return true
    },
  }
}

/** Problems of scenario files, one sentence each with the file name; empty when all can be played. */
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
