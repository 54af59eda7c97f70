// src/three-d-secure/emv/versions.ts — versions of EMV 3-D Secure messages, and which one a transaction uses. ADR 84.

/** Versions whose messages are read and written, from the oldest on. */
export const VERSIONS = ['2.1.0', '2.2.0', '2.3.1'] as const
export type Version = (typeof VERSIONS)[number]

/** The versions from one on. */
export function since(version: Version): readonly Version[] {
  return VERSIONS.slice(VERSIONS.indexOf(version))
}

/** The versions up to one. */
export function upTo(version: Version): readonly Version[] {
  return VERSIONS.slice(0, VERSIONS.indexOf(version) + 1)
}

export function isVersion(text: unknown): text is Version {
  return VERSIONS.some(version => version === text)
}

/** Whether a text has the form of a version, of whatever number. */
export function looksLikeVersion(text: unknown): text is string {
  return typeof text === 'string' && /^\d{1,2}\.\d{1,2}\.\d{1,2}$/.test(text)
}

/** Orders versions by number. Negative when the first one is older. */
export function compareVersions(one: string, other: string): number {
  const [ones, others] = [one, other].map(text => text.split('.').map(Number)) as [number[], number[]]
  const place = ones.findIndex((part, index) => part !== others[index])
  return place < 0 ? 0 : (ones[place] ?? 0) - (others[place] ?? 0)
}

/**
 * A range of versions, as 2.1 and 2.2 write it, as the list that 2.3.1 writes: both ends and the known versions between them.
 */
export function versionsBetween(start: string, end: string): readonly string[] {
  const inside = VERSIONS.filter(version => compareVersions(start, version) < 0 && compareVersions(version, end) < 0)
  return [...new Set([start, ...inside, end])]
}

/**
 * The highest version that we, the directory server and the access control server of the card all know. Null when there is
 * none: the card then counts as not enrolled, and no AReq is sent.
 */
export function chooseVersion(
  ours: readonly Version[],
  directoryServer: readonly string[],
  acs: readonly string[],
): Version | null {
  return (
    VERSIONS.findLast(version => [ours, directoryServer, acs].every(known => known.some(v => v === version))) ?? null
  )
}
