// web/console/sandbox/online-scenarios-view.tsx — scenarios of online payments, and what the next payments play.
import type { Gateway } from '../gateway.ts'
import { useReading } from '../people/reading.ts'
import { NextScenariosPanel, useNextScenarios } from './next-scenarios.tsx'
import { type ListedScenario, PAYMENTS } from './scenario.ts'
import { ScenarioList } from './scenario-list.tsx'

export function OnlineScenariosView({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem } = useReading<{ readonly online: readonly ListedScenario[] }>(gateway, '/sandbox/scenarios')
  const next = useNextScenarios(gateway, '/sandbox/online/scenarios', 'PUT')
  const { queue } = next
  const isUsual = queue !== null && queue.next.length === 0 && queue.afterwards == null
  return (
    <>
      <NextScenariosPanel
        name="Scenarios of the next online payments"
        player={PAYMENTS}
        next={next}
        scenarios={body?.online ?? []}
      >
        {/* The demo shop is one of the shared account. */}
        {'key' in gateway.credentials ? (
          <a href="/demo">Pay in the demo shop</a>
        ) : (
          <a href="#/online">See the payments</a>
        )}
      </NextScenariosPanel>
      <p class="quiet">
        {isUsual
          ? 'Choose one with Play next, then pay. Until then test card and amount decide. '
          : 'Each payment uses up one, when it first reaches the issuer or the acquirer. '}
        <a href="/docs/guides/online-payments">More about online payments</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body === null && problem === '' && <p class="quiet">Looking…</p>}
      {body !== null && (
        <ScenarioList
          scenarios={body.online}
          mayPlay={queue !== null}
          play={next.play}
          otherwise="Those of terminals are under Scenarios."
        />
      )}
    </>
  )
}
