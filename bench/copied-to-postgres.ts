// bench/copied-to-postgres.ts — copies a data directory to a new database, as an operator would.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { PROGRAM } from './server-process.ts'

/** A Postgres on this machine. */
export interface DatabaseAccess {
  readonly port: number
  readonly user: string
  readonly password: string
}

/** Creates the database, copies to it, and returns its URL. */
export async function copiedToPostgres(directory: string, access: DatabaseAccess): Promise<string> {
  const client = new pg.Client({ ...access, host: '127.0.0.1', database: 'postgres' })
  await client.connect()
  await client.query('CREATE DATABASE tollgate')
  await client.end()
  const url = `postgres://${access.user}:${access.password}@127.0.0.1:${access.port}/tollgate`
  const copy = [join(PROGRAM, 'bin/tollgate.js'), 'store', 'copy', '--from', directory, '--to', 'env:TARGET']
  await promisify(execFile)(process.execPath, copy, { env: { ...process.env, TARGET: url } })
  return url
}
