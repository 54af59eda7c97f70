// test/support/citus.ts — makes a database of a Citus cluster on this machine, and spreads the gateway's tables over it.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { ACCESS } from './postgres-process.ts'

const DISTRIBUTION = new URL('../../deploy/citus.sql', import.meta.url)

/** Settings of each server of a cluster on one machine. */
export const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '300',
  'citus.node_conninfo': 'sslmode=disable',
  // The coordinator counts its own connections to the workers.
  'citus.max_shared_pool_size': '150',
} as const

export interface CitusCluster {
  /** Port of the coordinator. */
  readonly port: number
  /** Ports of the workers. */
  readonly workers: readonly number[]
}

/** Makes an existing database of the coordinator one of the cluster. */
export async function joinWorkers({ port, workers }: CitusCluster, database: string): Promise<void> {
  await Promise.all(
    workers.map(async worker => {
      await runOn(worker, 'postgres', `CREATE DATABASE ${database} STRATEGY file_copy`)
      await runOn(worker, database, 'CREATE EXTENSION citus')
    }),
  )
  await runOn(port, database, 'CREATE EXTENSION citus')
  await runOn(port, database, `SELECT citus_set_coordinator_host('127.0.0.1', ${port})`)
  for (const worker of workers) await addWorker(port, database, worker)
}

/** While other databases are made, a worker may refuse a connection. */
const TRIES = 5

async function addWorker(port: number, database: string, worker: number): Promise<void> {
  for (let left = TRIES - 1; ; left -= 1)
    try {
      await runOn(port, database, `SELECT citus_add_node('127.0.0.1', ${worker})`)
      return
    } catch (error) {
      if (left === 0) throw error
    }
}

/** Spreads the tables as an operator would. @param shards how many; the tests need few */
export async function distribute(port: number, database: string, shards: number): Promise<void> {
  await runOn(port, database, `SET citus.shard_count = ${shards}; ${readFileSync(DISTRIBUTION, 'utf8')}`)
}

async function runOn(port: number, database: string, sql: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, ...ACCESS, database })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
