// web/console/counter/counter-page.tsx — a counter: the till on one side, the terminal on the other.
import { useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { UsePhone } from '../phone/use-phone.tsx'
import { Terminal } from './terminal.tsx'
import { readTerminals, type TerminalOnList } from './terminal-on-list.ts'
import { TillView } from './till-view.tsx'

/** Terminals that nobody presses for you: their ids name no script. */
const PRESSED = /^\d+$/

/** @param tid terminal to begin with; null for the usual one */
export function CounterPage({ gateway, tid: first }: { readonly gateway: Gateway; readonly tid: string | null }) {
  const [terminals, setTerminals] = useState<readonly TerminalOnList[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(first)

  useEffect(() => {
    void readTerminals(gateway).then(read => {
      if ('problem' in read) setProblem(read.problem)
      else setTerminals(read)
    })
  }, [gateway])

  if (terminals === null) return <p class={problem === null ? 'quiet' : 'bad'}>{problem ?? 'Looking for terminals…'}</p>
  const usual = terminals.find(({ tid }) => PRESSED.test(tid)) ?? terminals[0]
  const terminal = terminals.find(({ tid }) => tid === chosen) ?? usual
  if (terminal === undefined)
    return (
      <>
        <h1>Counter</h1>
        <p>This account has no terminal yet. Add one with `tollgate terminals add` and load this page again.</p>
      </>
    )
  return (
    <>
      <h1>Counter</h1>
      <p class="lead">Start a sale on the till, then present a card at the terminal.</p>
      <div class="counter">
        <TillView gateway={gateway} terminals={terminals} terminal={terminal} choose={setChosen} />
        {gateway.isSandbox && (
          <>
            <Terminal key={terminal.tid} gateway={gateway} tid={terminal.tid}>
              <UsePhone gateway={gateway} tid={terminal.tid} />
            </Terminal>
            <p class="jumps">
              <Jump to="till-title" words="Till" />
              <Jump to="terminal-title" words="Terminal" />
            </p>
          </>
        )}
      </div>
    </>
  )
}

/** On a phone, where till and terminal are below each other: shows one of them. */
function Jump({ to, words }: { readonly to: string; readonly words: string }) {
  return (
    <button type="button" onClick={() => document.getElementById(to)?.scrollIntoView()}>
      {words}
    </button>
  )
}
