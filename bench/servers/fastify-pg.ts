// bench/servers/fastify-pg.ts — the peer, built the usual way: Fastify with a schema, `pg` with a pool, and one database
// transaction per request that writes the rows of the gateway's start.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import pg from 'pg'

/** Start parameters of the process. */
export interface PeerOrder {
  readonly database: {
    readonly port: number
    readonly user: string
    readonly password: string
    /** An existing database. */
    readonly database: string
  }
  /** Connections to the database. */
  readonly pool: number
  /** The gateway's row for the same request, as JSON. */
  readonly record: string
  readonly event: string
  readonly effect: string
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS records (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL, account text NOT NULL, id text NOT NULL, version integer NOT NULL, parent text NOT NULL,
    live boolean NOT NULL, exclusive text, created_at bigint NOT NULL, changed_at bigint NOT NULL, body text NOT NULL,
    UNIQUE (kind, account, id)
  );
  CREATE INDEX IF NOT EXISTS records_of_parent ON records (account, kind, parent, position);
  CREATE UNIQUE INDEX IF NOT EXISTS records_exclusive ON records (exclusive) WHERE exclusive IS NOT NULL;
  CREATE TABLE IF NOT EXISTS events (
    cursor bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record bigint NOT NULL, account text NOT NULL, version integer NOT NULL, at bigint NOT NULL, type text NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_of_account ON events (account, cursor);
  CREATE TABLE IF NOT EXISTS effects (effect_id text PRIMARY KEY, record bigint NOT NULL, type text NOT NULL, body text NOT NULL);
  CREATE TABLE IF NOT EXISTS timers (record bigint NOT NULL, name text NOT NULL, due_at bigint NOT NULL, PRIMARY KEY (record, name));
`

const BODY = {
  type: 'object',
  required: ['transactionType', 'amount', 'currency'],
  properties: {
    transactionType: { type: 'string', enum: ['SALE', 'REFUND'] },
    amount: { type: 'integer', minimum: 1, maximum: 99_999_999 },
    currency: { type: 'string', enum: ['GBP', 'EUR', 'USD'] },
  },
}

const ANSWER = { type: 'object', properties: { requestId: { type: 'string' }, location: { type: 'string' } } }

process.once('message', (order: PeerOrder) => void start(order))

async function start(order: PeerOrder): Promise<void> {
  const pool = new pg.Pool({ ...order.database, host: '127.0.0.1', max: order.pool })
  await pool.query(TABLES)
  const app = fastify({ logger: false })
  app.post<{ Params: { tid: string } }>(
    '/pac/terminals/:tid/transactions',
    { schema: { body: BODY, response: { 201: ANSWER } } },
    async (request, reply) => {
      const { tid } = request.params
      const requestId = randomUUID()
      await write(pool, order, tid, requestId)
      const location = `http://${request.host}/pac/terminals/${tid}/transactions/${requestId}`
      return reply.code(201).header('location', location).send({ requestId, location })
    },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({ port: (app.server.address() as AddressInfo).port })
}

/** One transaction, durable when this resolves: `synchronous_commit` is on. Named statements are prepared once. */
async function write(
  pool: pg.Pool,
  { record, event, effect }: PeerOrder,
  tid: string,
  requestId: string,
): Promise<void> {
  const client = await pool.connect()
  const now = Date.now()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query<{ position: string }>({
      name: 'record',
      text: `INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
             VALUES ('terminal-transaction', 'demo', $1, 1, $2, true, $3, $4, $4, $5) RETURNING position`,
      values: [requestId, tid, `terminal:demo/${tid}`, now, record],
    })
    const position = rows[0]?.position
    await client.query({
      name: 'event',
      text: `INSERT INTO events (record, account, version, at, type, body) VALUES ($1, 'demo', 1, $2, 'started', $3)`,
      values: [position, now, event],
    })
    await client.query({
      name: 'effect',
      text: `INSERT INTO effects (effect_id, record, type, body) VALUES ($1, $2, 'terminal.start', $3)`,
      values: [`${requestId}.1.terminal.start`, position, effect],
    })
    await client.query({
      name: 'timer',
      text: `INSERT INTO timers (record, name, due_at) VALUES ($1, 'limit', $2)`,
      values: [position, now + 200_000],
    })
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
