// src/peers/directory-server/control.ts — the control port of a directory server: its authentications and its scenarios. JSON.
import { type ControlPort, done, openControlPort, parsed, type Reply, refusal } from '../control-port.ts'
import type { ScenarioQueue } from '../scenario-queue.ts'
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
  switch (request) {
    case 'GET /authentications':
      return done({ authentications: authentications.all().map(authenticationView) })
    case 'GET /scenarios':
      return done({ ...queue.current(), scenarios: listedParts() })
    case 'PUT /scenarios': {
      const document = parsed(text)
      if (document === undefined) return refusal(400, 'The body is no JSON.')
      const problem = queue.set(document)
      return problem === null ? done(queue.current()) : refusal(400, problem)
    }
    default:
      return refusal(404, 'There are GET /authentications, and GET and PUT /scenarios.')
  }
}
