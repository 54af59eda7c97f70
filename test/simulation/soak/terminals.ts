// test/simulation/soak/terminals.ts — terminals of a large shop: every script, and some operated with keys.
import { ok } from 'node:assert/strict'
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import { freshSettings } from '../../../src/services/provisioning/provisioning.ts'
import type { Shop } from '../../support/shop.ts'

const SCRIPTED = 180
const BY_HAND = 20

/** Weights of outcomes: most succeed. Few time out, because such a terminal is busy for minutes. */
const OUTCOMES = 'SSSSSSSSSDDDUUVVCCSSSSSSSSSDDDUUVVCT'
const READINGS = 'IICCSK'
const CHECKS = 'PPDSN'
const SCHEMES = ['', 'MA', 'VA']

export interface SoakTerminals {
  readonly all: readonly Terminal[]
  /** Terminals that do nothing unless keys are pressed. */
  readonly byHand: readonly Terminal[]
}

/** Installs the terminals for the account `demo`, with various settings. */
export async function installTerminals({ gateway }: Shop): Promise<SoakTerminals> {
  const install = async (tid: string, index: number): Promise<Terminal> => {
    const settings = {
      ...freshSettings('GBP'),
      gratuity: index % 11 === 0,
      cashbackAllowed: index % 3 !== 0,
      printing: index % 4 !== 0,
      // Different step times, so that the terminals are not synchronised.
      paceMs: 300 + ((index * 37) % 400),
    }
    const made = await gateway.provisioning.addTerminal({ account: 'demo', tid, settings })
    ok('record' in made, tid)
    return made.record
  }
  const scripted: Terminal[] = []
  for (let index = 0; index < SCRIPTED; index += 1) scripted.push(await install(scriptedTid(index), index))
  const byHand: Terminal[] = []
  for (let index = 0; index < BY_HAND; index += 1) byHand.push(await install(`${32_160_001 + index}`, index))
  return { all: [...scripted, ...byHand], byHand }
}

function scriptedTid(index: number): string {
  const pick = (letters: string | readonly string[], step: number) => letters[Math.floor(index / step) % letters.length]
  const code = `${pick(OUTCOMES, 1)}${pick(READINGS, 2)}${pick(CHECKS, 3)}0${pick(SCHEMES, 1)}`
  return `VCM${String(index).padStart(3, '0')}${code}`
}
