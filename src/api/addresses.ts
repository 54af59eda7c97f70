// src/api/addresses.ts — the addresses that answers point at. Absolute, on the host that the caller used: clients use
// them unchanged. Terminal reference 1.1.

export function terminalAddress(base: string, tid: string): string {
  return `${base}/pac/terminals/${encodeURIComponent(tid)}`
}

export function transactionAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/transactions/${encodeURIComponent(requestId)}`
}

export function reportAddress(base: string, tid: string, requestId: string): string {
  return `${terminalAddress(base, tid)}/reports/${encodeURIComponent(requestId)}`
}
