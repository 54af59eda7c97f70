// src/store/postgres/one-account-statements.ts — has one machine of a distributed database run a statement that is about one account. ADR 61.
import type { Connections } from './connections.ts'
import type { Query, Statement } from './session.ts'

/** A join of a table to the accounts of the first array. */
const JOINED = /\b(\w+)\.account = u\.account\b/g
/** New rows of a table of accounts, from arrays; `rest` are values of all rows. The first column is the account. */
const INSERTED =
  /INSERT INTO (?<table>\w+) \((?<columns>[^)]*)\)\s+SELECT \*(?<rest>, [^\n]*)?\s+FROM unnest\((?<arrays>[^()]*)\)/
/** Its rows are on every machine, so there is no one to choose. */
const EVERYWHERE = 'account_keys'
const PARAMETER = /\$(\d+)/g

/** Forms of statements that name their account, by the usual one. */
const NAMING = new Map<Statement, Statement | null>()

/**
 * A distributed Postgres finds the machine of an account by a condition on the column, and does not look into arrays. Adds the
 * condition where all rows of the arrays are of one account. New rows take their account from its row in `feeds`, which is locked then.
 */
export function namingAccounts(connections: Connections): Connections {
  const { query, transaction } = connections
  return {
    ...connections,
    query: named(query),
    transaction: (work, patienceMs) => transaction(inside => work(named(inside)), patienceMs),
  }
}

function named(query: Query): Query {
  return (statement, values) => {
    const account = onlyAccount(values)
    const naming = account === null ? null : namingOf(statement)
    return naming === null ? query(statement, values) : query(naming, [...values, account])
  }
}

/** The account of all rows; null when there are several, or none. */
function onlyAccount([accounts]: readonly unknown[]): unknown {
  if (!Array.isArray(accounts) || accounts.length === 0) return null
  const [first] = accounts
  return accounts.every(account => account === first) ? first : null
}

/** Null for a statement that neither joins a table to accounts nor inserts rows of one. */
function namingOf(statement: Statement): Statement | null {
  const known = NAMING.get(statement)
  if (known !== undefined) return known
  const { name, text } = statement
  const next = 1 + Math.max(0, ...[...text.matchAll(PARAMETER)].map(([, number]) => Number(number)))
  const naming = insertedAt(next, text) ?? text.replaceAll(JOINED, `$& AND $1.account = $$${next}::text`)
  const made = naming === text ? null : { name: `${name}_of_one`, text: naming }
  NAMING.set(statement, made)
  return made
}

function insertedAt(parameter: number, text: string): string | null {
  const { table, columns = '', rest = '', arrays = '' } = INSERTED.exec(text)?.groups ?? {}
  if (table === undefined || table === EVERYWHERE) return null
  const ofArrays = columns.split(', ').slice(1, arrays.split(',').length)
  const selected = ['f.account', ...ofArrays.map(name => `u.${name}`)].join(', ')
  const from = `FROM feeds AS f, unnest(${arrays}) AS u (${['account', ...ofArrays].join(', ')})`
  return text.replace(
    INSERTED,
    () => `INSERT INTO ${table} (${columns}) SELECT ${selected}${rest} ${from} WHERE f.account = $${parameter}::text`,
  )
}
