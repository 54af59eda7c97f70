// src/simulator/scenarios/document-reader.ts — converts scenarios between JSON documents and the data that terminals play.

import { type Problem, readStrictly, type StrictlyRead } from '../../api/read/strict-document.ts'
import { NOTIFICATIONS, type ReportedNotification } from '../../domain/counter/notifications.ts'
import { notificationsOf } from '../../domain/counter/transaction-notifications.ts'
import type { OutcomeOverride } from '../cards/card-token.ts'
import { TEST_CARDS, type TestCardToken } from '../cards/test-cards.ts'
import { faultIn, textOf } from '../faults/catalogue.ts'
import type { Moment, Plan, Step } from '../terminals/flow.ts'
import { SCENARIOS, type ScenarioName } from './built-in.ts'
import { DECLINE_REASONS, SCENARIO_DOCUMENT, type ScenarioDocument, type StepDocument } from './document.ts'
import type { Scenario } from './scenario.ts'

/** A scenario with the document it was read from. */
export interface NamedScenario {
  readonly document: ScenarioDocument
  readonly scenario: Scenario
}

/** Reads a document, or returns the problems that prevent it from being played. */
export function readScenario(input: unknown): StrictlyRead<NamedScenario> {
  const read = readStrictly(SCENARIO_DOCUMENT, input)
  if ('problems' in read) return read
  const document = read.value
  const problems = [...meaninglessIn(document)]
  return problems.length > 0 ? { problems } : { value: { document, scenario: scenarioIn(document) } }
}

/** Writes a scenario as a document. It holds only the differences from the ordinary scenario. */
export function writeScenario(name: string, title: string, scenario: Scenario): ScenarioDocument {
  const { person, card, reading, check, paceMs, startsWithoutPaper, leavesCard, acquirer, faults } = scenario
  const plans = Object.entries(scenario.plans).map(([moment, plan]) => [moment, plan.map(writeStep)])
  const override = writeOverride(acquirer)
  return {
    name,
    title,
    ...{ person, card, reading, check },
    ...(paceMs === null ? {} : { paceMs }),
    ...(startsWithoutPaper ? { startsWithoutPaper } : {}),
    ...(leavesCard ? { leavesCard } : {}),
    ...(scenario.gratuityMinor === undefined ? {} : { gratuityMinor: scenario.gratuityMinor }),
    ...(Object.keys(override).length === 0 ? {} : { acquirer: override }),
    ...(faults.length === 0 ? {} : { faults: faults.map(textOf) }),
    ...(plans.length === 0 ? {} : { plans: Object.fromEntries(plans) }),
  }
}

function scenarioIn(document: ScenarioDocument): Scenario {
  const { like = 'approved', person, card, reading, check, startsWithoutPaper, leavesCard, acquirer } = document
  const { faults, plans, paceMs, gratuityMinor } = document
  const model: Scenario = SCENARIOS[like as ScenarioName]
  return {
    person: person ?? model.person,
    card: (card as TestCardToken | undefined) ?? model.card,
    reading: reading ?? model.reading,
    check: check ?? model.check,
    paceMs: paceMs ?? model.paceMs,
    startsWithoutPaper: startsWithoutPaper ?? model.startsWithoutPaper,
    leavesCard: leavesCard ?? model.leavesCard,
    ...(gratuityMinor === undefined ? {} : { gratuityMinor }),
    acquirer: acquirer === undefined ? model.acquirer : overrideIn(acquirer),
    faults: faults === undefined ? model.faults : faults.map(faultIn).filter(fault => fault !== null),
    plans: { ...model.plans, ...plansIn(plans ?? {}) },
  }
}

function plansIn(plans: NonNullable<ScenarioDocument['plans']>): Scenario['plans'] {
  return Object.fromEntries(
    Object.entries(plans).map(([moment, plan]) => [moment as Moment, plan.map(stepIn)] satisfies [Moment, Plan]),
  )
}

function stepIn(step: StepDocument): Step {
  if (step.do !== 'show') return step
  const { notification, only } = step
  return { do: 'say', report: NOTIFICATIONS[notification].report, ...(only === undefined ? {} : { only }) }
}

function writeStep(step: Step): StepDocument {
  switch (step.do) {
    case 'say': {
      const { report, only } = step
      // Each report of a plan produces exactly one notification, which a document can show.
      const notification = notificationsOf(report, [])[0] as ReportedNotification
      return { do: 'show', notification, ...(only === undefined ? {} : { only }) }
    }
    case 'wait':
      if (step.for === 'authorisation' || step.for === 'signature') throw new Error(`no plan waits for ${step.for}`)
      return { do: 'wait', for: step.for }
    case 'end':
    case 'end_unheard':
      if (step.result === 'TIMED_OUT') throw new Error('no terminal says TIMED_OUT')
      return { do: step.do, result: step.result }
    case 'pause':
    case 'outlast_limit':
    case 'storm':
    case 'lose_link':
    case 'restart':
    case 'read_card':
    case 'authorise':
    case 'ask_signature':
    case 'repeat_last':
      return step
  }
}

function overrideIn(acquirer: NonNullable<ScenarioDocument['acquirer']>): OutcomeOverride {
  const { answer, reason = 'do_not_honour', slowMs = 0, lateMs = 0, unheard = false, reversalMs = 0 } = acquirer
  return { answer: answer === 'declined' ? reason : (answer ?? null), slowMs, lateMs, unheard, reversalMs }
}

function writeOverride({
  answer,
  slowMs,
  lateMs,
  unheard,
  reversalMs,
}: OutcomeOverride): NonNullable<ScenarioDocument['acquirer']> {
  return {
    ...writeAnswer(answer),
    ...(slowMs === 0 ? {} : { slowMs }),
    ...(lateMs === 0 ? {} : { lateMs }),
    ...(unheard ? { unheard } : {}),
    ...(reversalMs === 0 ? {} : { reversalMs }),
  }
}

function writeAnswer(
  answer: OutcomeOverride['answer'],
): Pick<NonNullable<ScenarioDocument['acquirer']>, 'answer' | 'reason'> {
  if (answer === null) return {}
  if (answer === 'approved' || answer === 'nothing') return { answer }
  const reason = DECLINE_REASONS.find(word => word === answer)
  if (reason === undefined) throw new Error(`${answer} is no answer of an issuer`)
  return { answer: 'declined', reason }
}

/** Problems that the schema does not cover: unknown names, and plans without an end. */
function* meaninglessIn({ name, like, card, faults = [], plans = {} }: ScenarioDocument): Generator<Problem> {
  if (Object.hasOwn(SCENARIOS, name))
    yield { at: 'name', says: `is taken by the built-in scenario ${name}; choose another name` }
  if (like !== undefined && !Object.hasOwn(SCENARIOS, like))
    yield { at: 'like', says: `must be a built-in scenario, not ${JSON.stringify(like)}` }
  if (card !== undefined && !TEST_CARDS.some(({ token }) => token === card))
    yield { at: 'card', says: `must be one of ${TEST_CARDS.map(({ token }) => token).join(', ')}` }
  for (const [index, text] of faults.entries())
    if (faultIn(text) === null)
      yield {
        at: `faults[${index}]`,
        says: `must be a fault from GET /sandbox/faults, not ${JSON.stringify(text)}`,
      }
  for (const [moment, plan] of Object.entries(plans)) {
    const last = plan.at(-1)
    if (last !== undefined && !leadsOn(last))
      yield {
        at: `plans.${moment}[${plan.length - 1}]`,
        says: 'is the last step and must be an end, authorise, ask_signature, or wait for a card',
      }
  }
}

/** Whether the transaction goes on or ends after this step, so that a plan may end with it. */
function leadsOn(step: StepDocument): boolean {
  switch (step.do) {
    case 'end':
    case 'end_unheard':
    case 'repeat_last':
    case 'restart':
    case 'authorise':
    case 'ask_signature':
      return true
    case 'wait':
      return step.for === 'card'
    case 'show':
    case 'pause':
    case 'outlast_limit':
    case 'storm':
    case 'lose_link':
    case 'read_card':
      return false
  }
}
