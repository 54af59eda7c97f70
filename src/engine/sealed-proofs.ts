// src/engine/sealed-proofs.ts — keeps the values of authentications in the vault, out of records and events. ADR 95.
import type { MerchantAccountId } from '../domain/ids.ts'
import type {
  AuthenticationProof,
  AuthenticationReport,
  StoredProof,
  StoredReport,
} from '../domain/online/three-d-secure.ts'
import type { Vault } from './ports/vault.ts'

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
  const { value } = report.proof
  if (value === '') return report
  const reference = await vault.storeText(account, 'authentication-value', value, owner)
  return { ...report, proof: { ...report.proof, value: { vault: reference } } }
}

/** Erases the value of a report that was not stored after all. */
export async function forgetSealed(vault: Texts, account: MerchantAccountId, report: StoredReport): Promise<void> {
  const value = 'proof' in report ? report.proof.value : ''
  if (typeof value !== 'string') await vault.forget(account, value.vault)
}

/** The proof with its value. Null when the value has been deleted. */
export async function openedProof(
  vault: Texts,
  account: MerchantAccountId,
  { value: stored, ...proof }: StoredProof,
): Promise<AuthenticationProof | null> {
  const value =
    typeof stored === 'string' ? stored : await vault.openText(account, 'authentication-value', stored.vault)
  return value === null ? null : { ...proof, value }
}
