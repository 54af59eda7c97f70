// test/support/hold-store.ts — a process of its own that opens the store in the directory it is given, writes one record,
// says so, and stays until it is killed.
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { fullChange } from './changes.ts'

const directory = process.argv[2]
if (directory === undefined) throw new Error('which directory?')
const store = await openSqliteStore({ directory })
process.stdout.write(`${await store.commit(fullChange('held'))}\n`)
