// src/simulator/terminals/set-back.ts — moves what a terminal still has to do when the clock is set back.
import type { DeviceState } from './device.ts'

/** The state with every time that is still to come `ms` milliseconds earlier, so that each step is as far away as before. */
export function setBack(state: DeviceState, ms: number): DeviceState {
  const { running, report, session, late, linkDownUntil } = state
  const earlier = (at: number | null): number | null => (at === null ? null : at - ms)
  return {
    ...state,
    linkDownUntil: earlier(linkDownUntil),
    late: late.map(each => ({ ...each, dueAt: each.dueAt - ms })),
    running: running === null ? null : { ...running, startedAt: running.startedAt - ms, dueAt: running.dueAt - ms },
    report: report === null ? null : { ...report, dueAt: earlier(report.dueAt) },
    session:
      session === null
        ? null
        : {
            ...session,
            dueAt: session.dueAt - ms,
            ask: session.ask === null ? null : { ...session.ask, retryAt: earlier(session.ask.retryAt) },
          },
  }
}
