// src/store/sqlite/columns.ts — columns that several reads select.

export const RECORD = 'account, kind, id, version, body'
export const LISTED = `position, created_at AS createdAt, ${RECORD}`
