// web/console/keys/webhook-secret.tsx — the secret by which receivers verify webhooks: shown on demand, and replaced.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copying.tsx'

const PATH = '/api/webhook-secret'

interface Secrets {
  readonly secret: string
  readonly since: string
  /** Still valid until the time. */
  readonly previous: readonly { readonly secret: string; readonly until: string }[]
}

export function WebhookSecret({ gateway }: { readonly gateway: Gateway }) {
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const [problem, setProblem] = useState('')
  const [isReplacing, setReplacing] = useState(false)
  const show = async () => {
    const answered = await gateway.get<Secrets>(PATH)
    setProblem(answered.ok ? '' : answered.sentence)
    if (answered.ok) setSecrets(answered.body)
  }
  const replace = async () => {
    const answered = await gateway.send<Secrets>('POST', `${PATH}/rotate`, {})
    if (answered.ok) setSecrets(answered.body)
    return answered.ok ? null : answered.sentence
  }
  return (
    <section aria-labelledby="webhook-secret-title">
      <h2 id="webhook-secret-title" class="after">
        Secret of webhooks
      </h2>
      <p class="quiet">
        The receiver of your webhooks verifies their signatures with it. <a href="/docs/guides/webhooks">How to</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      <div role="status">{secrets !== null && <Shown secrets={secrets} />}</div>
      <p class="actions">
        {secrets === null && (
          <button type="button" onClick={() => void show()}>
            Show the secret
          </button>
        )}
        <button type="button" onClick={() => setReplacing(true)}>
          Replace it…
        </button>
      </p>
      {isReplacing && (
        <Confirm title="Replace the secret" action="Replace it" run={replace} onClose={() => setReplacing(false)}>
          <p>
            A new secret signs from now on. The old one signs as well for a day, so that receivers can be changed one by
            one.
          </p>
        </Confirm>
      )}
    </section>
  )
}

function Shown({ secrets: { secret, since, previous } }: { readonly secrets: Secrets }) {
  return (
    <>
      <p>
        <code class="shown-secret">{secret}</code> <CopyButton text={() => secret}>Copy the secret</CopyButton>
      </p>
      <p class="quiet">
        In force since {new Date(since).toLocaleString()}.
        {previous.map(({ until }) => ` An older one still signs until ${new Date(until).toLocaleString()}.`)}
      </p>
    </>
  )
}
