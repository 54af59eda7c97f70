// web/console/counter/terminal.tsx — a card machine that can be pressed: display, keypad, slot, cards.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Caller } from '../gateway.ts'
import { Cards } from './cards.tsx'
import { type Sounds, useSounds } from './sounds.ts'
import { type Key, type PressedTerminal, type Screen, useTerminal } from './terminal-screen.ts'
import { Waiter } from './waiter.tsx'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
/** Longest PIN that a card can have. */
const MOST_DIGITS = 12

export interface TerminalProps {
  readonly gateway: Caller
  readonly tid: string
  /** What stands below its name. */
  readonly children?: ComponentChildren
}

export function Terminal({ gateway, tid, children }: TerminalProps) {
  const terminal = useTerminal(gateway, tid)
  const { screen, problem } = terminal
  const sounds = useSounds(screen)
  return (
    <section class="terminal" aria-labelledby="terminal-title">
      <h2 id="terminal-title">Terminal {tid}</h2>
      {children}
      {screen === null ? (
        <p class="quiet">{problem ?? 'Looking at its screen…'}</p>
      ) : (
        <>
          <Machine {...terminal} screen={screen} sounds={sounds} />
          <Waiter screen={screen} currency={screen.settings.currency} press={terminal.press} />
          <Cards gateway={gateway} keys={screen.keys} press={terminal.press} />
          <Mischief screen={screen} press={terminal.press} />
          <label class="check sounds">
            <input
              type="checkbox"
              checked={sounds.isOn}
              onChange={event => sounds.switchTo(event.currentTarget.checked)}
            />
            Sounds
          </label>
        </>
      )}
    </section>
  )
}

type Pressed = Omit<PressedTerminal, 'screen'> & { readonly screen: Screen }

function Machine({ screen, problem, press, sounds }: Pressed & { readonly sounds: Sounds }) {
  const [typed, setTyped] = useState('')
  const { keys, lines, connected, cardInSlot } = screen
  const asks = keys.includes('pin') ? 'pin' : keys.includes('gratuity') ? 'gratuity' : null
  // What was typed belongs to the question that was asked then.
  useEffect(() => setTyped(''), [asks])

  const can = (key: string) => keys.includes(key)
  const type = (digit: string) => {
    if (asks === null) return
    sounds.play('key')
    setTyped(before => (before + digit).slice(0, MOST_DIGITS))
  }
  const enter = () => {
    sounds.play('key')
    if (asks === 'pin' && typed.length >= 4) void press({ key: 'pin', digits: typed })
    if (asks === 'gratuity') void press({ key: 'gratuity', amountMinor: Number(typed || '0') })
    setTyped('')
  }
  const cancel = () => {
    sounds.play('key')
    void press({ key: 'cancel' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (/^\d$/.test(event.key)) type(event.key)
    else if (event.key === 'Backspace') setTyped(before => before.slice(0, -1))
    else if (event.key === 'Enter' && asks !== null && event.target === event.currentTarget) enter()
    else return
    event.preventDefault()
  }

  return (
    <>
      {/* Not inside the machine: on a phone it stays at the top of the window, also beside the cards. */}
      <div class="head">
        <div class="display" role="status" aria-label="Display">
          {connected ? lines.map((line, index) => <p key={`${index} ${line}`}>{line}</p>) : <p>UNPLUGGED</p>}
          {asks === 'pin' && <p class="typed">{'•'.repeat(typed.length) || 'ENTER PIN'}</p>}
          {asks === 'gratuity' && <p class="typed">TIP {(Number(typed || '0') / 100).toFixed(2)}</p>}
        </div>
        <p role="alert" class="bad">
          {problem}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: digits can be typed on the keyboard while the machine has the focus */}
      <fieldset class="body" tabIndex={0} onKeyDown={onKeyDown}>
        <legend class="unseen">Card machine; digits can be typed</legend>
        <div class="keypad">
          {DIGITS.map(digit => (
            <button key={digit} type="button" disabled={asks === null} onClick={() => type(digit)}>
              {digit}
            </button>
          ))}
          <button type="button" class="cancel" disabled={!can('cancel')} onClick={cancel}>
            Cancel
          </button>
          <button type="button" disabled={asks === null} onClick={() => type('0')}>
            0
          </button>
          <button type="button" class="enter" disabled={asks === null} onClick={enter}>
            Enter
          </button>
        </div>
        <p class={cardInSlot ? 'slot full' : 'slot'}>
          {cardInSlot ? 'A card is in the slot' : 'The slot is empty'}
          {cardInSlot && (
            <button type="button" disabled={!can('remove_card')} onClick={() => void press({ key: 'remove_card' })}>
              Take the card out
            </button>
          )}
        </p>
      </fieldset>
    </>
  )
}

/** What people do to a machine that it does not like. */
function Mischief({ screen: { connected, paper, keys }, press }: Omit<Pressed, 'problem'>) {
  return (
    <p class="mischief">
      {connected ? (
        <Press to={{ key: 'unplug' }} press={press} words="Unplug it" />
      ) : (
        <Press to={{ key: 'plug_in' }} press={press} words="Plug it in" />
      )}
      {paper && keys.includes('take_paper_out') && (
        <Press to={{ key: 'take_paper_out' }} press={press} words="Take its paper out" />
      )}
      {!paper && <Press to={{ key: 'put_paper_in' }} press={press} words="Put paper in" />}
    </p>
  )
}

function Press({
  to,
  press,
  words,
}: {
  readonly to: Key
  readonly press: PressedTerminal['press']
  readonly words: string
}) {
  return (
    <button type="button" onClick={() => void press(to)}>
      {words}
    </button>
  )
}
