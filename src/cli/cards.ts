// src/cli/cards.ts — `tollgate cards`: lists the test cards of the sandbox.
import type { Command } from 'commander'
import { ONLINE_TEST_CARDS, type OnlineTestCard } from '../simulator/cards/online-test-cards.ts'
import { testCardViews } from '../simulator/terminals/screen.ts'
import type { TestCardView } from '../simulator/terminals/screens.ts'
import { tableOf } from './columns.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate cards
  tollgate cards --json
The first table is for payment forms: public test numbers that no bank has issued. The second one is for terminals; one
without a script, such as 22160001, waits for one of them to be presented on its screen.`

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: { readonly json?: true }) => listCards(shell, options))
}

function listCards(shell: Shell, options: { readonly json?: true }): void {
  const cards = testCardViews()
  if (options.json) {
    printJson(shell, { cards, onlineCards: ONLINE_TEST_CARDS })
    return
  }
  const heads = ['Number', 'Scheme', 'Expiry', 'Code', 'Name', 'Status', '3-D Secure', 'Password']
  print(shell, tableOf(heads, ONLINE_TEST_CARDS.map(onlineRowOf)))
  print(shell)
  print(shell, tableOf(['Card', 'Name', 'Scheme', 'Number', 'PIN', 'How', 'Issuer'], cards.map(rowOf)))
}

function onlineRowOf(card: OnlineTestCard): readonly string[] {
  const { number, scheme, expiry, securityCode, holder, expected, mode, password } = card
  return [number, scheme, expiry ?? 'any', securityCode, holder ?? 'any', String(expected), mode, password ?? '-']
}

function rowOf({ card, name, scheme, maskedNumber, pin, how, answer }: TestCardView): readonly string[] {
  return [card, name, scheme, maskedNumber, pin || '-', how.join(' '), answer]
}
