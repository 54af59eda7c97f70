// web/console/sandbox/sandbox-page.tsx — what a sandbox can do that the world cannot: move time, go back, break on demand.
import type { Gateway } from '../gateway.ts'
import { Within } from '../parts/within.tsx'
import { ClockView } from './clock-view.tsx'
import { FaultsView } from './faults-view.tsx'
import { OnlineScenariosView } from './online-scenarios-view.tsx'
import './sandbox.css'
import { ScenariosView } from './scenarios-view.tsx'
import { SnapshotsView } from './snapshots-view.tsx'
import { TerminalsView } from './terminals-view.tsx'
import { WebhookFaultsView } from './webhook-faults-view.tsx'

const VIEWS = [
  { id: null, name: 'Clock and snapshots' },
  { id: 'terminals', name: 'Terminals' },
  { id: 'faults', name: 'Faults' },
  { id: 'scenarios', name: 'Scenarios' },
  { id: 'online-scenarios', name: 'Online scenarios' },
] as const

/** @param id a view; any other is the first */
export function SandboxPage({ gateway, id }: { readonly gateway: Gateway; readonly id: string | null }) {
  const view = VIEWS.find(each => each.id === id)?.id ?? null
  return (
    <>
      <h1>Sandbox</h1>
      <p class="lead">Time, states and faults of this account. Other accounts do not notice.</p>
      <Within page="sandbox" views={VIEWS} id={view} />
      {view === null && (
        <div class="counter">
          <ClockView gateway={gateway} />
          <SnapshotsView gateway={gateway} />
        </div>
      )}
      {view === 'terminals' && <TerminalsView gateway={gateway} />}
      {view === 'faults' && (
        <>
          <FaultsView gateway={gateway} />
          <WebhookFaultsView gateway={gateway} />
        </>
      )}
      {view === 'scenarios' && <ScenariosView gateway={gateway} />}
      {view === 'online-scenarios' && <OnlineScenariosView gateway={gateway} />}
    </>
  )
}
