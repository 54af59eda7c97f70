// src/engine/registry.ts — registers parts of one kind by name: drivers, acquirers, directory servers.

export interface Named {
  readonly name: string
}

/** Parts of one kind, in order of registration. The first one is the default, so later ones are appended. ADR 46. */
export interface Registry<Part extends Named> {
  readonly all: readonly Part[]
  /**
   * Finds a part by name; null when none is registered under it.
   * @param name undefined for the default
   */
  find(name: string | undefined): Part | null
}

/** Registers parts. @throws Error when two have the same name. */
export function createRegistry<Part extends Named>(kind: string, parts: readonly Part[]): Registry<Part> {
  const byName = new Map(parts.map(part => [part.name, part]))
  if (byName.size !== parts.length) throw new Error(`two of the ${kind} have the same name`)
  return {
    all: parts,
    find: name => (name === undefined ? parts[0] : byName.get(name)) ?? null,
  }
}
