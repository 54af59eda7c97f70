// src/api/addresses.ts — the addresses that answers point at. Absolute, on the host that the caller used: clients use
// them unchanged. Terminal reference 1.1.

export function terminalAddress(base: string, tid: string): string {
  return `${base}/pac/terminals/${encodeURIComponent(tid)}`
}

export function transactionAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/transactions/${encodeURIComponent(requestId)}`
}

/** The name of a table is part of its address, whatever is in it. Terminal reference 10.3. */
export function tableAddress(base: string, tableName: string): string {
  return `${base}/pat/tables/${encodeURIComponent(tableName)}`
}

export function tableReportAddress(base: string, reportId: string): string {
  return `${base}/pat/reports/${encodeURIComponent(reportId)}`
}

export function reportAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/reports/${encodeURIComponent(requestId)}`
}
