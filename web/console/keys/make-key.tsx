// web/console/keys/make-key.tsx — makes an API key, and shows its secret once.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { useForm } from '../parts/sending.ts'
import { AREAS, type ListedKey } from './listed-key.ts'

interface Made {
  readonly key: ListedKey
  readonly apiKey: string
}

export function MakeKey({ gateway, onMade }: { readonly gateway: Gateway; readonly onMade: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  const { problem, onSubmit } = useForm(async fields => {
    const answered = await gateway.send<Made>('POST', '/api/keys', orderIn(fields))
    setMade(answered.ok ? answered.body : null)
    if (!answered.ok) return answered.sentence
    onMade()
    return null
  })
  return (
    <section aria-labelledby="make-key-title">
      <h2 id="make-key-title">Make a key</h2>
      <form class="make-key" aria-labelledby="make-key-title" onSubmit={onSubmit}>
        <label>
          What it is for
          <input name="label" required maxLength={100} autocomplete="off" placeholder="till 2" />
        </label>
        <fieldset>
          <legend>It may call</legend>
          {Object.entries(AREAS).map(([area, words]) => (
            <label key={area}>
              <input type="checkbox" name="areas" value={area} /> {words}
            </label>
          ))}
          <p class="quiet">None chosen: everything that your role allows.</p>
        </fieldset>
        <label>
          Only these terminals
          <input name="terminals" autocomplete="off" autocapitalize="none" placeholder="all, or 22160001, 22160002" />
        </label>
        <button type="submit">Make the key</button>
        <p role="alert" class="bad">
          {problem}
        </p>
      </form>
      <div role="status">{made !== null && <Secret made={made} />}</div>
    </section>
  )
}

function Secret({ made: { key, apiKey } }: { readonly made: Made }) {
  return (
    <div class="made-secret">
      <p>
        The key for <strong>{key.label}</strong>. It is shown only now: put it where it is used.
      </p>
      <p>
        <code>{apiKey}</code>
      </p>
      <CopyButton text={() => apiKey}>Copy the key</CopyButton>
    </div>
  )
}

/** What is left empty limits nothing. */
function orderIn(form: FormData) {
  const areas = form.getAll('areas')
  const terminals = String(form.get('terminals'))
    .split(/[\s,]+/)
    .filter(Boolean)
  return {
    label: String(form.get('label')),
    ...(areas.length === 0 ? {} : { areas }),
    ...(terminals.length === 0 ? {} : { terminals }),
  }
}
