// src/cli/iso8583-dialects.ts — finds a dialect by its name or file.
import { BUILT_IN_DIALECTS } from '../acquirers/iso8583/built-in.ts'
import { type Dialect, readDialect } from '../acquirers/iso8583/dialect.ts'
import { readStrictly, sentenceOf } from '../api/read/strict-document.ts'
import { Failure } from './failure.ts'
import { documentIn } from './iso8583-input.ts'

/** @param named name of a dialect, or a file @throws Failure with all problems */
export function dialectOf(named: string): Dialect {
  const read = readDialect(BUILT_IN_DIALECTS[named] ?? documentIn(named, Object.keys(BUILT_IN_DIALECTS)), readStrictly)
  if ('dialect' in read) return read.dialect
  throw new Failure(read.problems.map(problem => `${named}: ${sentenceOf(problem)}`).join('\n'))
}
