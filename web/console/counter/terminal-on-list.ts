// web/console/counter/terminal-on-list.ts — a terminal as `/pac/terminals` lists it.

export interface TerminalOnList {
  readonly tid: string
  readonly status: string
  readonly currency: string
}
