// test/unit/platform/payment-keys/hsm-keys.test.ts — a security module that misbehaves makes no key, and stops nothing.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { HostSocket, SocketEvents, SocketOpener } from '../../../../src/engine/ports/socket-opener.ts'
import { createHsmKeys } from '../../../../src/platform/payment-keys/hsm-keys.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { TestClock } from '../../../support/test-clock.ts'

const UNREACHABLE = { refused: 'unreachable' }
const ENDLESS = Buffer.alloc(200_000, 'x')

/** Keys over a connection that the test is the other end of. `early`: what the module sends before the connection counts as open. */
function moduleThat(answers: (line: string, events: SocketEvents) => void, early: Uint8Array | null = null) {
  const seen = { destroyed: 0, opened: 0 }
  const opener: SocketOpener = {
    async open({ events }) {
      seen.opened += 1
      await null
      if (early !== null) events.onData(early)
      const socket: HostSocket = {
        write: bytes => answers(Buffer.from(bytes).toString(), events),
        end() {},
        destroy() {
          seen.destroyed += 1
          events.onClosed('closed here')
        },
      }
      return { socket }
    },
  }
  const address = { host: 'hsm.example', port: 5900 }
  return { seen, keys: createHsmKeys({ address, tls: null, opener, clock: new TestClock(), log: silentLog }) }
}

describe('a line without an end', () => {
  test('before the connection is open closes it', async () => {
    const { seen, keys } = moduleThat(() => {}, ENDLESS)
    deepEqual(await keys.list(), UNREACHABLE)
    equal(seen.destroyed, 1)
  })

  test('as an answer closes the connection, and the next request opens another', async () => {
    let misbehaves = true
    const { seen, keys } = moduleThat((line, events) => {
      const { id } = JSON.parse(line) as { readonly id: number }
      events.onData(misbehaves ? ENDLESS : Buffer.from(`${JSON.stringify({ id, keys: [] })}\n`))
    })
    deepEqual(await keys.list(), UNREACHABLE)
    misbehaves = false
    deepEqual(await keys.list(), [])
    deepEqual(seen, { destroyed: 1, opened: 2 })
  })
})
