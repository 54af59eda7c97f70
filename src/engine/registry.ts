// src/engine/registry.ts — parts of one kind that are chosen by name: drivers, acquirers, directory servers.

/** What can be registered. */
export interface Named {
  readonly name: string
}

/** Parts of one kind, in order of registration. The first one serves whatever names none, so later ones are appended. ADR 46. */
export interface Registry<Part extends Named> {
  readonly all: readonly Part[]
  /**
   * Null: nothing is registered under this name.
   * @param name undefined: the default
   */
  find(name: string | undefined): Part | null
}

/** Registers parts. @throws Error when two bear the same name. */
export function createRegistry<Part extends Named>(kind: string, parts: readonly Part[]): Registry<Part> {
  const byName = new Map(parts.map(part => [part.name, part]))
  if (byName.size !== parts.length) throw new Error(`two of the ${kind} bear the same name`)
  return {
    all: parts,
    find: name => (name === undefined ? parts[0] : byName.get(name)) ?? null,
  }
}
