// web/console/sandbox/webhook-faults-view.tsx — faults of the next webhooks: arm, see and disarm them.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'

/** What a receiver has to bear. The API calls these `drills`. */
const WEBHOOK_FAULTS = [
  { name: 'twice', title: 'Sent twice with the same id.' },
  { name: 'late', title: 'Delayed by a minute.' },
  { name: 'shuffled', title: 'Delayed by half a minute, so that later ones overtake it.' },
  { name: 'badly_signed', title: 'The first try has a wrong signature. Refuse it to get one with the right one.' },
] as const

/** How often the armed ones are read, in milliseconds: webhooks use them up. */
const AGAIN_MS = 2_000
const PATH = '/sandbox/webhook-drills'

interface Armed {
  /** One for each of the next webhooks, next one first. */
  readonly drills: readonly string[]
}

export function WebhookFaultsView({ gateway }: { readonly gateway: Gateway }) {
  const [armed, setArmed] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState('twice')
  const [isAsking, setAsking] = useState(false)
  const read = useCallback(
    async (signal?: AbortSignal) => {
      const answered = await gateway.get<Armed>(PATH, signal === undefined ? {} : { signal })
      if (answered.ok) setArmed(answered.body.drills)
    },
    [gateway],
  )
  useEffect(() => {
    const ended = new AbortController()
    const readAgain = async () => {
      while (!ended.signal.aborted) {
        if (!document.hidden) await read(ended.signal)
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [read])

  const arm = async () => {
    const answered = await gateway.send<Armed>('POST', PATH, { drill: chosen })
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) setArmed(answered.body.drills)
  }
  const disarm = async () => {
    const answered = await gateway.send('DELETE', PATH)
    if (!answered.ok) return answered.sentence
    await read()
    return null
  }
  return (
    <section aria-labelledby="webhook-faults">
      <h2 id="webhook-faults" class="after">
        Faults of webhooks
      </h2>
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          void arm()
        }}
      >
        <p class="filters">
          <label>
            What happens to the next webhook
            <select value={chosen} onChange={event => setChosen(event.currentTarget.value)}>
              {WEBHOOK_FAULTS.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <button type="submit">Arm for the next webhook</button>
          <button type="button" disabled={armed.length === 0} onClick={() => setAsking(true)}>
            Disarm those of webhooks…
          </button>
        </p>
        <p class="lead">{WEBHOOK_FAULTS.find(({ name }) => name === chosen)?.title}</p>
        <p role="alert" class="bad">
          {problem}
        </p>
        <p role="status">{armed.length === 0 ? 'None is armed.' : `The next webhooks: ${armed.join(', then ')}.`}</p>
      </form>
      {isAsking && (
        <Confirm
          title="Disarm all faults of webhooks?"
          action="Disarm them"
          run={disarm}
          onClose={() => setAsking(false)}
        >
          <p>The next webhooks are sent as usual.</p>
        </Confirm>
      )}
    </section>
  )
}
