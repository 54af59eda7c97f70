// src/simulator/makes.ts — names under which the simulated parts are registered.
import type { TerminalMake } from '../engine/ports/terminal.ts'

/** Stored with each terminal, so it must not change. */
export const SIMULATED = 'simulated'

export const SIMULATED_TERMINALS: TerminalMake = { name: SIMULATED }
