// src/peers/directory-server/control.ts — the control port of a directory server: its authentications and its scenarios. JSON.
import { type ControlPort, done, openControlPort, type Reply, refusal } from '../control-port.ts'
import type { ScenarioQueue } from '../scenario-queue.ts'
import { scenarioReply } from '../scenario-requests.ts'
import { type Authentications, authenticationView } from './authentications.ts'
import { type Behaviour, type Concern, listedParts } from './behaviour.ts'

export interface ControlParts {
  readonly authentications: Authentications
  readonly queue: ScenarioQueue<Concern, Behaviour>
}

/** Opens the port, for this machine only. */
export function openControl(port: number, parts: ControlParts): Promise<ControlPort> {
  return openControlPort(port, (request, text) => replyTo(request, text, parts))
}

function replyTo(request: string, text: string, { authentications, queue }: ControlParts): Reply {
  if (request === 'GET /authentications')
    return done({ authentications: authentications.all().map(authenticationView) })
  return (
    scenarioReply(request, text, queue, listedParts) ??
    refusal(404, 'There are GET /authentications, and GET and PUT /scenarios.')
  )
}
