// src/cli/scenario-files.ts — reads the scenario files of an installation, one JSON document a file.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { problemsOfFiles } from '../simulator/scenarios/library.ts'
import { Failure } from './failure.ts'

/** Largest scenario file. */
const LARGEST_BYTES = 1_048_576

export interface ScenarioFile {
  readonly file: string
  readonly document: unknown
}

/** Reads the documents in a directory, by file name. @throws Failure with all problems */
export function scenarioFilesIn(directory: string | null): readonly unknown[] {
  if (directory === null) return []
  const { files, problems } = readScenarioFiles([directory])
  if (problems.length > 0)
    throw new Failure(`${directory} holds scenarios that cannot be played:\n  ${problems.join('\n  ')}`)
  return files.map(({ document }) => document)
}

/** Reads files, and files ending in `.json` in directories. `problems` has one sentence for each problem. */
export function readScenarioFiles(paths: readonly string[]): {
  readonly files: readonly ScenarioFile[]
  readonly problems: readonly string[]
} {
  const files: ScenarioFile[] = []
  const problems: string[] = []
  for (const path of paths) {
    try {
      for (const file of filesAt(path)) {
        const document = documentIn(file)
        if ('problem' in document) problems.push(document.problem)
        else files.push({ file, document: document.value })
      }
    } catch (error) {
      problems.push(`${path}: cannot be read (${codeOf(error)}).`)
    }
  }
  return { files, problems: [...problems, ...problemsOfFiles(files)] }
}

function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter(name => name.endsWith('.json'))
  return names.sort().map(name => join(path, name))
}

function documentIn(file: string): { readonly value: unknown } | { readonly problem: string } {
  if (statSync(file).size > LARGEST_BYTES) return { problem: `${file}: is larger than ${LARGEST_BYTES} bytes.` }
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8')) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${file}: is not valid JSON: ${error.message}.` }
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
