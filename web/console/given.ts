// web/console/given.ts — what the gateway tells the page: the account that everybody may use, and who is signed in.

export interface SignedIn {
  readonly account: string
  readonly user: string
  readonly name: string
  readonly role: string
  readonly rights: readonly string[]
  readonly pageToken: string
  readonly endsAt: string
}

export interface Given {
  readonly mode: 'sandbox' | 'live'
  /** The shared test account with its public key; null when there is none. */
  readonly publicAccount: { readonly account: string; readonly key: string } | null
  /** Address of the console, when it has a host of its own. */
  readonly consoleUrl: string | null
  readonly signedIn: SignedIn | null
}

export const ROLES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  till_staff: 'Till staff',
  read_only: 'Read only',
}
