// src/terminals/nexo/check.ts — checks one terminal for operators: certificate, key, health, model.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { createLink, type Link, type LinkParts } from './link.ts'
import { type NexoSettings, openSettings, type SettingsParts } from './settings.ts'
import type { Answer, Transport } from './wire/answers.ts'
import { type Health, healthOf } from './wire/diagnosis.ts'
import { flagOf, listOf, type Members, memberAt, textOf } from './wire/lenient.ts'
import { loginBody } from './wire/messages.ts'

export interface CheckParts extends SettingsParts, LinkParts {
  /** Name and version of this program. */
  readonly software: { readonly name: string; readonly version: string }
}

/** What a check has found: facts in order, and problems as sentences; none when payments are possible. */
export interface CheckResult {
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly problems: readonly string[]
}

/**
 * Connects to a terminal, asks for its health and that of its host, and logs in.
 * @throws Error when its settings cannot be used, or it cannot be reached; the message has the facts of the certificate
 */
export async function checkTerminal(parts: CheckParts, terminal: Terminal): Promise<CheckResult> {
  const settings = await openSettings(parts, terminal)
  const link = createLink(parts, terminal, settings, {
    isRunning: () => false,
    onBack: () => {},
    isListed: async () => null,
  })
  const diagnosis = await link.ask('Diagnosis', link.newNames(), { HostDiagnosisFlag: true })
  const facts = connectionFacts(settings)
  if (diagnosis.answer !== 'response') return { facts, problems: [sentenceOn(diagnosis, settings.transport)] }
  const health = healthOf(diagnosis.response)
  const model = await modelOf(parts, link)
  return {
    facts: [
      ...facts,
      [settings.keys.length === 0 ? 'API key' : 'key', 'accepted'],
      ...model,
      ...healthFacts(health),
      ...hostFacts(diagnosis.response),
    ],
    problems: [
      ...(health.usable ? [] : [`The terminal says ${health.state} and takes no payments.`]),
      ...health.faults.map(fault => `Out of order: ${fault}.`),
    ],
  }
}

function connectionFacts({ poiId, saleId, transport, address, root }: NexoSettings): CheckResult['facts'] {
  return [
    ['terminal', poiId],
    ['till', saleId],
    ['address', `${address.host}:${address.port}${transport === 'cloud' ? ', the cloud of the provider' : ''}`],
    ...(root === null
      ? []
      : [['root SHA-256', `${root.fingerprint}${root.isPublished ? '' : ' (not the published one)'}`] as const]),
  ]
}

function sentenceOn(answer: Exclude<Answer, { readonly answer: 'response' }>, transport: Transport): string {
  switch (answer.answer) {
    case 'accepted':
      return 'The terminal does not answer a diagnosis.'
    case 'undelivered':
      return 'The provider cannot reach the terminal. Is it on, and in its network?'
    case 'none':
      return `The terminal gives no answer that can be trusted: ${answer.because}. Check keyIdentifier, keyVersion and passphrase.`
    case 'refused':
      if (transport === 'cloud')
        return `The provider refuses the request (${answer.detail}). Check apiKey and its role, merchantAccount, region and poiId.`
      return answer.because === 'key'
        ? `The terminal refuses the key (${answer.detail}). Check it, and update the configuration on the terminal.`
        : `The terminal refuses the message (${answer.detail}).`
  }
}

/** The software of the terminal, which a login names. */
async function modelOf({ clock, software }: CheckParts, link: Link): Promise<CheckResult['facts']> {
  const login = await link.ask('Login', link.newNames(), loginBody(clock.now(), software))
  if (login.answer !== 'response') return []
  const named = (name: string) => textOf(memberAt(login.response, 'POISystemData', 'POISoftware', name))
  return [['software', [named('ManufacturerID'), named('ApplicationName'), named('SoftwareVersion')].join(' ').trim()]]
}

function healthFacts({ state, printer, battery, unsent }: Health): CheckResult['facts'] {
  return [
    ['state', state],
    ...(printer === '' ? [] : [['printer', printer] as const]),
    ...(battery === null ? [] : [['battery', `${battery} %`] as const]),
    ...(unsent === null ? [] : [['unsent payments', String(unsent)] as const]),
  ]
}

function hostFacts(response: Members): CheckResult['facts'] {
  return listOf(memberAt(response, 'HostStatus')).map(host => {
    const isReachable = flagOf(memberAt(host, 'IsReachableFlag'), true)
    return [`host ${textOf(memberAt(host, 'AcquirerID'))}`.trim(), isReachable ? 'reachable' : 'not reachable'] as const
  })
}
