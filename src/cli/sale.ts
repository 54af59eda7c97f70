// src/cli/sale.ts — `tollgate sale`: takes a payment as a till does, and shows its progress.
import { type Command, Option } from 'commander'
import { TRANSACTION_TYPES } from '../domain/counter/transaction-events.ts'
import { TERMINAL_CURRENCIES } from '../domain/money.ts'
import { amountMinor, terminalId } from './arguments.ts'
import { baseUrlOf } from './configured-url.ts'
import { Failure, MISUSED } from './failure.ts'
import { type PaymentOrder, watchPayment } from './payment-watch.ts'
import { addReachOptions, keyOf, type ReachOptions } from './sandbox-client.ts'
import { configOf } from './settings-options.ts'
import type { Shell } from './shell.ts'
import { openTill } from './till.ts'

const EXAMPLES = `
Examples:
  tollgate sale --terminal VCMDEMOSIP0 --amount 2599
  tollgate sale --terminal VCMDEMOSIS0 --amount 500 --signature refuse
  tollgate sale --terminal VCMDEMOSIP0 --amount 2599 --scenario card_left_in
  tollgate sale --terminal 22160001 --type DUPLICATE --url https://pay.example --key-file till.key
Amounts are minor units, as on the wire. The sum with its currency is printed before anything is charged.
Ctrl-C asks the terminal to cancel; again, it stops watching. Exits with 0 when the result is SUCCESSFUL, else with 1.`

/** Options of the payment and of the connection to the gateway. */
interface SaleOptions extends PaymentOrder, ReachOptions {
  readonly softwareHouse: string
  readonly installer: string
  readonly scenario?: string
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addReachOptions(command)
    .option('--terminal <tid>', 'terminal to pay at', terminalId, 'VCMDEMOSIP0')
    .option('--amount <amount>', 'minor units, as on the wire: 2599 is 25.99', amountMinor)
    .addOption(new Option('--type <type>', 'kind of transaction').choices(TRANSACTION_TYPES).default('SALE'))
    .addOption(new Option('--currency <code>', 'default: what the terminal takes').choices(TERMINAL_CURRENCIES))
    .option('--cashback <amount>', 'cash to hand out with a SALE, in minor units', amountMinor)
    .option('--auth-code <code>', 'code of the pre-authorisation, for a COMPLETION')
    .option(
      '--pre-authorised-total <amount>',
      'sum of the pre-authorisations in minor units, for a COMPLETION',
      amountMinor,
    )
    .option('--not-present', 'the card number is keyed in, without the card')
    .option('--software-house <id>', 'partner id of the maker of the till', 'tollgate')
    .option('--installer <id>', 'partner id of the installer of the till', 'tollgate')
    .option('--scenario <name>', 'what a simulated terminal plays; see `tollgate scenarios list`')
    .addOption(new Option('--signature <decision>', 'answer to a signature check').choices(['accept', 'refuse']))
    .option('--json', 'print the transaction and the verdict as JSON when it has ended')
    .addHelpText('after', EXAMPLES)
    .action((options: SaleOptions) => takePayment(shell, options))
}

async function takePayment(shell: Shell, options: SaleOptions): Promise<void> {
  if (options.amount === undefined && options.type !== 'DUPLICATE' && options.type !== 'ACCOUNT_VERIFICATION')
    throw new Failure(`A ${options.type} needs an --amount.`, { exitCode: MISUSED })
  const url = options.url ?? baseUrlOf(configOf(shell, {}))
  const { softwareHouse, installer, scenario } = options
  const played = scenario === undefined ? {} : { scenario }
  const till = openTill({ url, apiKey: keyOf(options), softwareHouse, installer, ...played })
  await watchPayment(shell, till, options)
}
