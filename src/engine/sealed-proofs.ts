// src/engine/sealed-proofs.ts — keeps the values of authentications and wallets in the vault, out of records and events. ADR 95.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { AuthenticationReport, StoredReport, StoredValue } from '../domain/online/three-d-secure.ts'
import type { Vault } from './ports/vault.ts'

/** The same with its value in the vault. */
type Sealed<Proof> = Omit<Proof, 'value'> & { readonly value: StoredValue }

type Texts = Pick<Vault, 'storeText' | 'openText' | 'forget'>

/**
 * The report as it may be stored: the value of its proof is in the vault, durably.
 * @param owner id of the record that will have it
 */
export async function sealedReport(
  vault: Texts,
  account: MerchantAccountId,
  owner: string,
  report: AuthenticationReport,
): Promise<StoredReport> {
  if (report.type !== 'authenticated' && report.type !== 'exempted') return report
  return { ...report, proof: await sealedProof(vault, account, owner, report.proof) }
}

/**
 * The proof as it may be stored: its value is in the vault, durably.
 * @param owner id of the record that will have it
 */
export async function sealedProof<Proof extends { readonly value: string }>(
  vault: Texts,
  account: MerchantAccountId,
  owner: string,
  proof: Proof,
): Promise<Sealed<Proof>> {
  const { value } = proof
  if (value === '') return proof
  return { ...proof, value: { vault: await vault.storeText(account, 'authentication-value', value, owner) } }
}

/** Erases the value of a report that was not stored after all. */
export async function forgetSealed(vault: Texts, account: MerchantAccountId, report: StoredReport): Promise<void> {
  if ('proof' in report) await forgetValue(vault, account, report.proof)
}

/** Erases the value of a proof that was not stored after all. */
export async function forgetValue(
  vault: Texts,
  account: MerchantAccountId,
  { value }: { readonly value: StoredValue },
): Promise<void> {
  if (typeof value !== 'string') await vault.forget(account, value.vault)
}

/** The proof with its value. Null when the value has been deleted. */
export async function openedProof<Stored extends { readonly value: StoredValue }>(
  vault: Texts,
  account: MerchantAccountId,
  { value: stored, ...proof }: Stored,
): Promise<(Omit<Stored, 'value'> & { readonly value: string }) | null> {
  const value =
    typeof stored === 'string' ? stored : await vault.openText(account, 'authentication-value', stored.vault)
  return value === null ? null : { ...proof, value }
}
