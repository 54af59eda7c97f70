// test/support/hold-store.ts — a process that opens the store in the given directory, writes one record, prints the result
// of the commit and runs until it is killed.
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { fullChange } from './changes.ts'

const directory = process.argv[2]
if (directory === undefined) throw new Error('which directory?')
const store = await openSqliteStore({ directory })
process.stdout.write(`${await store.commit(fullChange('held'))}\n`)
