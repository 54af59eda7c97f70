// test/unit/web/console-sounds.test.ts — the sounds of a terminal follow from what its screen shows, one after the other.
import { deepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { type Noticed, notice, type Sound } from '../../../web/console/counter/sound.ts'

interface Shown {
  readonly lines: readonly string[]
  readonly keys?: readonly string[]
  readonly requestId?: string | null
  readonly connected?: boolean
}

/** The sound at each of these screens. */
function soundsAt(screens: readonly Shown[]): readonly (Sound | null)[] {
  let noticed: Noticed | null = null
  return screens.map(({ keys = [], requestId = null, connected = true, lines }) => {
    const next = notice(noticed, { keys, requestId, connected, lines })
    noticed = next.noticed
    return next.sound
  })
}

const READY: Shown = { lines: ['READY'] }
const of = (requestId: string, message: string, keys: readonly string[] = []): Shown => ({
  ...{ requestId, keys, lines: ['SALE', 'GBP 25.99', message] },
})
const asks = (requestId: string) => of(requestId, 'PRESENT CARD', ['present_card', 'cancel'])
const ended = (result: string): Shown => ({ lines: [`LAST: ${result}`, 'READY'] })

test('a sale by chip: the card, and the approval once', () => {
  const screens = [
    READY,
    asks('a'),
    asks('a'),
    of('a', 'PIN ENTRY', ['pin']),
    of('a', 'CONNECTING'),
    of('a', 'APPROVED'),
  ]
  const end = [of('a', 'REMOVE CARD', ['remove_card']), ended('SUCCESSFUL'), ended('SUCCESSFUL')]
  deepEqual(soundsAt([...screens, ...end]), [null, null, null, 'card', null, 'approved', null, null, null])
})

test('the next sale sounds again, also when the outcome is the same', () => {
  const sale = (id: string) => [asks(id), of(id, 'CONNECTING'), of(id, 'APPROVED'), ended('SUCCESSFUL')]
  const sounds = [null, 'card', 'approved', null]
  deepEqual(soundsAt([READY, ...sale('a'), ...sale('b')]), [null, ...sounds, ...sounds])
})

test('an outcome that was on the screen between two looks is heard at the end', () => {
  deepEqual(soundsAt([READY, asks('a'), ended('SUCCESSFUL')]), [null, null, 'approved'])
  deepEqual(soundsAt([ended('SUCCESSFUL'), asks('a'), ended('SUCCESSFUL')]), [null, null, 'approved'])
  deepEqual(soundsAt([READY, asks('a'), ended('TIMED_OUT')]), [null, null, 'declined'])
})

test.each(['DECLINED', 'DECLINED BY CARD'])('%s is heard once', message => {
  const screens = [READY, asks('a'), of('a', 'CONNECTING'), of('a', message), of('a', 'REMOVE CARD'), ended('DECLINED')]
  deepEqual(soundsAt(screens), [null, null, 'card', 'declined', null, null])
})

test('an approval that is reversed is heard as what it became', () => {
  deepEqual(soundsAt([asks('a'), of('a', 'APPROVED'), ended('VOID')]), [null, 'approved', 'declined'])
})

test('a cancelled sale has read no card', () => {
  deepEqual(soundsAt([asks('a'), of('a', 'CANCELLING'), ended('CANCELLED')]), [null, null, 'declined'])
})

test('what the first screen shows has happened before, and an unplugged terminal is silent', () => {
  deepEqual(soundsAt([of('a', 'APPROVED'), ended('SUCCESSFUL')]), [null, null])
  deepEqual(soundsAt([ended('DECLINED'), ended('DECLINED')]), [null, null])
  const unplugged: Shown = { lines: [], connected: false }
  deepEqual(soundsAt([READY, asks('a'), unplugged, asks('a'), of('a', 'APPROVED'), unplugged, ended('SUCCESSFUL')]), [
    ...[null, null, null, null, 'approved', null, null],
  ])
})
