// web/console/keys/merchant-hosts.tsx — the hosts of the account's web shops: listed, added, removed.
import { useState } from 'preact/hooks'
import { type Gateway, mayDo } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useForm } from '../parts/sending.ts'
import { useReading } from '../people/reading.ts'

const PATH = '/api/account/merchant-hosts'

interface Account {
  readonly merchantHosts: readonly string[]
}

/** Makes one list from another. */
type Change = (hosts: readonly string[]) => readonly string[]

export function MerchantHosts({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<Account>(gateway, '/api/account')
  const [doomed, setDoomed] = useState<string | null>(null)
  const hosts = body?.merchantHosts ?? []
  /** Changes what is there now, not what the page shows. Returns why that was not done; null when it was. */
  const change = async (to: Change) => {
    const now = await gateway.get<Account>('/api/account')
    if (!now.ok) return now.sentence
    const answered = await gateway.send('PUT', PATH, { merchantHosts: to(now.body.merchantHosts) })
    again()
    return answered.ok ? null : answered.sentence
  }
  const mayChange = mayDo(gateway.credentials, 'configure')
  return (
    <section aria-labelledby="hosts-title">
      <h2 id="hosts-title" class="after">
        Hosts of web shops
      </h2>
      <p class="quiet">
        An access token is made for a page of one of these hosts, its merchantUrl, and the payment form opens there
        only.
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body !== null && hosts.length === 0 && <p class="empty">None: no access tokens can be made.</p>}
      {hosts.length > 0 && (
        <ul class="rows plain" aria-label="Hosts">
          {hosts.map(host => (
            <li key={host}>
              <span>{host}</span>
              {mayChange && (
                <button type="button" onClick={() => setDoomed(host)}>
                  Remove…<span class="unseen"> {host}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && <Addition change={change} />}
      {doomed !== null && (
        <Confirm
          title={`Remove ${doomed}?`}
          action="Remove it"
          run={() => change(now => now.filter(each => each !== doomed))}
          onClose={() => setDoomed(null)}
        >
          <p>
            From now on your server gets no access tokens for pages of {doomed}, and payment forms no longer open there.
            {hosts.length === 1 && ' It is the last host: the account then takes no payments on web pages.'}
          </p>
          <p>What is paid already stays as it is.</p>
        </Confirm>
      )}
    </section>
  )
}

interface AdditionProps {
  readonly change: (to: Change) => Promise<string | null>
}

function Addition({ change }: AdditionProps) {
  const { problem, onSubmit } = useForm(fields => change(hosts => [...hosts, String(fields.get('host'))]))
  return (
    <form class="make-key" aria-label="Add a host" onSubmit={onSubmit}>
      <label>
        Host of a web shop, or the address of a page there
        <input
          name="host"
          required
          maxLength={255}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="shop.example"
        />
      </label>
      <button type="submit">Add the host</button>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
