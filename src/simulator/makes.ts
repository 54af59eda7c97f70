// src/simulator/makes.ts — under which name the simulated parts are registered.
import type { TerminalMake } from '../engine/ports/terminal.ts'

/** Terminals are stored with it, so it stays. */
export const SIMULATED = 'simulated'

export const SIMULATED_TERMINALS: TerminalMake = { name: SIMULATED }
