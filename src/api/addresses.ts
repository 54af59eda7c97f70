// src/api/addresses.ts — builds the addresses in answers: absolute, on the caller's host.
// Clients call them unchanged.

export function terminalAddress(base: string, tid: string): string {
  return `${base}/pac/terminals/${encodeURIComponent(tid)}`
}

export function transactionAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/transactions/${encodeURIComponent(requestId)}`
}

/** A table is addressed by its name, percent-encoded. */
export function tableAddress(base: string, tableName: string): string {
  return `${base}/pat/tables/${encodeURIComponent(tableName)}`
}

export function tableReportAddress(base: string, reportId: string): string {
  return `${base}/pat/reports/${encodeURIComponent(reportId)}`
}

export function reportAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/reports/${encodeURIComponent(requestId)}`
}
