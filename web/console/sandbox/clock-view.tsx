// web/console/sandbox/clock-view.tsx — the clock of the account: its time, and how to move, stop and start it.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { type Clock, momentIn, nowOn, offsetInWords } from './clock.ts'

/** How often the time is drawn, and how often it is read, in milliseconds. Programs move the clock, too. */
const DRAW_MS = 250
const READ_MS = 5_000

const STEPS = [
  { name: '10 seconds', ms: 10_000 },
  { name: '1 minute', ms: 60_000 },
  { name: '5 minutes', ms: 300_000 },
  { name: '1 hour', ms: 3_600_000 },
  { name: '1 day', ms: 86_400_000 },
] as const

interface Read {
  readonly clock: Clock
  /** When it was read, by the clock of this page. */
  readonly readAt: number
}

export function ClockView({ gateway }: { readonly gateway: Gateway }) {
  const [read, setRead] = useState<Read | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const readAgain = async () => {
      while (!signal.aborted) {
        const answered = await gateway.get<Clock>('/sandbox/clock', { signal })
        if (answered.ok) setRead({ clock: answered.body, readAt: Date.now() })
        else setProblem(answered.sentence)
        await new Promise(resolve => setTimeout(resolve, READ_MS))
      }
    }
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [gateway])

  const order = async (body: { readonly do: string } & Readonly<Record<string, unknown>>) => {
    setBusy(true)
    const answered = await gateway.send<Clock>('POST', '/sandbox/clock', body)
    setBusy(false)
    setProblem(answered.ok ? null : answered.sentence)
    setSaid(answered.ok ? whatHappened(answered.body) : '')
    if (answered.ok) setRead({ clock: answered.body, readAt: Date.now() })
  }

  return (
    <section class="panel" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      {read === null ? <p class="quiet">Reading…</p> : <Now {...read} />}
      <Steps isBusy={isBusy} advance={ms => void order({ do: 'advance', ms })} />
      <SetTo isBusy={isBusy} set={to => void order({ do: 'set', to })} />
      <p class="actions">
        {read?.clock.frozen ? (
          <button type="button" disabled={isBusy} onClick={() => void order({ do: 'release' })}>
            Let it run
          </button>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => void order({ do: 'freeze' })}>
            Stop it
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => void order({ do: 'reset' })}>
          Back to the system clock
        </button>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      <p role="status" class="quiet">
        {isBusy ? 'Moving…' : said}
      </p>
    </section>
  )
}

function Now({ clock, readAt }: Read) {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw(before => before + 1), DRAW_MS)
    return () => clearInterval(timer)
  }, [])
  const now = new Date(nowOn(clock, Date.now() - readAt))
  return (
    <>
      <p class="now">
        <time dateTime={now.toISOString()}>
          {now.toISOString().slice(0, 10)} <strong>{now.toISOString().slice(11, 19)}</strong> UTC
        </time>
      </p>
      <p class="quiet">
        {clock.frozen ? 'It stands still until it is moved or runs again.' : 'It runs.'} {offsetInWords(clock.offsetMs)}
      </p>
    </>
  )
}

function Steps({ isBusy, advance }: { readonly isBusy: boolean; readonly advance: (ms: number) => void }) {
  return (
    <Group name="Advance by">
      {STEPS.map(({ name, ms }) => (
        <button key={ms} type="button" disabled={isBusy} onClick={() => advance(ms)}>
          <span class="unseen">Advance by </span>
          {name}
        </button>
      ))}
    </Group>
  )
}

function SetTo({ isBusy, set }: { readonly isBusy: boolean; readonly set: (to: string) => void }) {
  const [typed, setTyped] = useState('')
  const to = momentIn(typed)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        if (to !== null) set(to)
      }}
    >
      <label>
        Set to, in UTC
        <input type="datetime-local" step={1} value={typed} onInput={event => setTyped(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={isBusy || to === null}>
        Set
      </button>
    </form>
  )
}

function Group({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{name}</legend>
      <p class="actions">{children}</p>
    </fieldset>
  )
}

function whatHappened({ fired, settled }: Clock): string {
  if (settled === false) return 'There was too much to do: it stopped on the way. Advance it again.'
  if (fired === undefined) return 'Done.'
  return fired === 1 ? 'Done: 1 timer fired.' : `Done: ${fired} timers fired.`
}
