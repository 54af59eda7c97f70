// test/support/killed-writer.ts — a process that writes a hundred documents and kills itself.
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'

const memory = createSqliteMemory(process.argv[2]!)
for (let written = 0; written < 100; written++)
  memory.write([{ collection: 'order', key: `order ${written}`, parent: 'demo', body: '{}' }])
await memory.written()
process.kill(process.pid, 'SIGKILL')
