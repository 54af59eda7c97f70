// src/cli/users.ts — `tollgate users`: adds, lists and ends the people who sign in to the console of an account.
import { type Command, Option } from 'commander'
import { COMMAND_LINE } from '../domain/people/audit-entry.ts'
import { ROLES, type Role } from '../domain/people/roles.ts'
import type { User } from '../domain/people/user.ts'
import type { Refusal } from '../domain/refusals.ts'
import { systemClock } from '../platform/clock.ts'
import { createDirectory, type Directory } from '../services/people/people.ts'
import { accountId, userName, words } from './arguments.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { isoTime, shortTime } from './iso-time.ts'
import { askForPassword } from './password-question.ts'
import { accountOf, enabledAccount, made, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate users create harbour ann --name "Ann Example" --role owner
  tollgate users list harbour
  tollgate users password harbour ann        when she has forgotten it
  tollgate users reset-factors harbour ann   when she has lost her phone
  tollgate users end harbour ann
The password is asked for. Without a keyboard it is the first line of the input: tollgate users create … < password.txt
A change is in force within a second, also at a gateway that is running.`

type Options = SettingsOptions & { readonly json?: true }
type CreateOptions = Options & { readonly name: string; readonly role: Role }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  ofUser(command, 'create', 'Add a user; the first owner of an account is made here.')
    .requiredOption('--name <name>', 'name of the person', words)
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .action((account: string, user: string, options: CreateOptions) => createUser(shell, account, user, options))
  ofAccount(command, 'list', 'List the users of an account, newest first.').action(
    (account: string, options: Options) => listUsers(shell, account, options),
  )
  ofUser(command, 'role', 'Change what a user may do.')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .action((account: string, user: string, options: Options & { readonly role: Role }) =>
      change(shell, account, user, options, {
        action: 'changeUser',
        work: ({ users }) => users.changeRole(account, user, options.role, false),
        says: `User ${user} of account ${account} has the role ${options.role} now.`,
      }),
    )
  ofUser(command, 'password', 'Set the password of a user, and end the sessions that the user has.').action(
    async (account: string, user: string, options: Options) => {
      const password = await askForPassword(shell)
      await change(shell, account, user, options, {
        action: 'setUserPassword',
        work: ({ users }) => users.setPassword(account, user, password),
        says: `User ${user} of account ${account} has a new password.`,
      })
    },
  )
  ofUser(command, 'reset-factors', 'Take one-time codes and passkeys away from a user who has lost them.').action(
    (account: string, user: string, options: Options) =>
      change(shell, account, user, options, {
        action: 'removeFactors',
        work: ({ users }) => users.removeFactors(account, user),
        says: `User ${user} of account ${account} signs in by the password alone.`,
      }),
  )
  ofUser(command, 'end', 'End a user for good; what the user did stays in the audit log.').action(
    (account: string, user: string, options: Options) =>
      change(shell, account, user, options, {
        action: 'endUser',
        work: ({ users }) => users.end(account, user, false),
        says: `User ${user} of account ${account} can sign in no more.`,
      }),
  )
}

function ofAccount(command: Command, name: string, description: string): Command {
  return addSettingsOptions(command.command(name).description(description), 'data')
    .option('--json', 'print JSON')
    .argument('<account>', 'id of the account', accountId)
}

function ofUser(command: Command, name: string, description: string): Command {
  return ofAccount(command, name, description).argument('<user>', 'the name to sign in by', userName)
}

async function createUser(shell: Shell, account: string, user: string, options: CreateOptions): Promise<void> {
  const { name, role } = options
  const password = await askForPassword(shell)
  await change(shell, account, user, options, {
    action: 'addUser',
    work: ({ users }) => users.add(account, { user, name, role, password }),
    says: `User ${user} can sign in to the console of account ${account} as ${role}.`,
  })
}

interface Change {
  /** The operation of the management API that does the same, as the audit log names it. */
  readonly action: string
  readonly work: (people: Directory) => Promise<{ readonly record: User } | { readonly refused: Refusal }>
  readonly says: string
}

/** Changes a user, and notes it in the audit log. */
async function change(
  shell: Shell,
  account: string,
  user: string,
  options: Options,
  { action, work, says }: Change,
): Promise<void> {
  const record = await withRecords(configOf(shell, options), async ({ store, engine, random }) => {
    await enabledAccount(store, account)
    const people = createDirectory({ store, engine, random, clock: systemClock() })
    const noted = { by: COMMAND_LINE, session: null, action, subject: { user }, requestId: '' }
    const end = await people.audit.begin(account, noted)
    const outcome = await work(people)
    const refusal = 'refused' in outcome ? outcome.refused.code : null
    await end({ status: refusal === null ? 200 : 422, refusal })
    return made(outcome).record
  })
  if (options.json) return printJson(shell, { user: shown(record) })
  print(shell, says)
}

async function listUsers(shell: Shell, account: string, options: Options): Promise<void> {
  const users = await withRecords(configOf(shell, options), async ({ store, engine, random }) => {
    await accountOf(store, account)
    return createDirectory({ store, engine, random, clock: systemClock() }).users.list(account)
  })
  if (options.json) return printJson(shell, { users: users.map(shown) })
  if (users.length === 0)
    throw new Failure(`Account ${account} has no users; \`tollgate users create\` adds the first, an owner.`)
  const rows = users.map(({ id, role, status, createdAt, name }) => [id, role, status, shortTime(createdAt), name])
  print(shell, tableOf(['User', 'Role', 'Status', 'Made', 'Name'], rows))
}

/** Leaves out the hash of the password. */
function shown({ id, merchantAccount, name, role, status, createdAt, oneTimeCodes, passkeys = [] }: User) {
  const factors = { oneTimeCodes: Boolean(oneTimeCodes), passkeys: passkeys.length }
  return { user: id, merchantAccount, name, role, status, ...factors, createdAt: isoTime(createdAt) }
}
