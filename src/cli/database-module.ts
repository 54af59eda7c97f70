// src/cli/database-module.ts — recognises a database module that is not built for this Node.js.

/** Returns what to do when the error says that the native module cannot be loaded, else null. */
export function databaseModuleProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  // The first is Node's, for a module built for another version; the second is the module's own search.
  const missing =
    ('code' in error && error.code === 'ERR_DLOPEN_FAILED') || /locate the bindings file/.test(error.message)
  if (!missing) return null
  return (
    `The database module (better-sqlite3) is not built for Node ${process.versions.node}; ` +
    'install Tollgate again under this version, with install scripts allowed (`npm i -g --allow-scripts=better-sqlite3 …`).'
  )
}
