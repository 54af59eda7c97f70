// src/store/postgres/planning.ts — has a connection plan its statements by indexes.

/** What reads whole tables or sorts many rows. */
const OFF = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']

/**
 * An SQL expression that sets the planner of a connection. A plan is made while tables are small and for values that are not
 * known, and is used when they are large; then only an index in the right order reads no more than a page. ADR 61.
 */
export const PLAN_BY_INDEX = `(SELECT count(set_config(name, 'off', false)) FROM unnest('{${OFF.join(',')}}'::text[]) AS name)`
