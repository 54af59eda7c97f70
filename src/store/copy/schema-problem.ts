// src/store/copy/schema-problem.ts — why a store of another schema is not copied.
import { Fault } from '../../engine/fault.ts'
import { NEWEST_SCHEMA } from '../sqlite/inspection.ts'
import { CopyProblem } from './sides.ts'

/** @param schema number of the last migration; null for a database that is not Tollgate's */
export function schemaProblem(where: string, schema: number | null): Error {
  if (schema === null) return new Fault('store_broken', { detail: where })
  if (schema > NEWEST_SCHEMA) return new Fault('store_newer', { detail: where })
  return new CopyProblem(
    `${where} has schema ${schema}, and this version copies schema ${NEWEST_SCHEMA} only; ` +
      'start and stop a gateway of this version on it first.',
  )
}
