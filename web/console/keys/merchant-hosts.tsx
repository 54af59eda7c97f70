// web/console/keys/merchant-hosts.tsx — the hosts of the account's web shops. They are set at the command line.
import type { Gateway } from '../gateway.ts'
import { useReading } from '../people/reading.ts'

interface Account {
  readonly id: string
  readonly merchantHosts: readonly string[]
}

export function MerchantHosts({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem } = useReading<Account>(gateway, '/api/account')
  return (
    <section aria-labelledby="hosts-title">
      <h2 id="hosts-title" class="after">
        Hosts of web shops
      </h2>
      <p class="quiet">An access token is made for a page of one of these hosts, its merchantUrl.</p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body !== null &&
        (body.merchantHosts.length === 0 ? (
          <p class="empty">None: no access tokens can be made.</p>
        ) : (
          <ul aria-label="Hosts">
            {body.merchantHosts.map(host => (
              <li key={host}>{host}</li>
            ))}
          </ul>
        ))}
      {body !== null && (
        <p class="quiet">
          They are set on the machine of the gateway:{' '}
          <code>npx tollgate accounts settings {body.id} --merchant-host shop.example</code>
        </p>
      )}
    </section>
  )
}
