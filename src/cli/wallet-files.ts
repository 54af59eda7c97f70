// src/cli/wallet-files.ts — reads the wallet configuration from the files named by the settings.
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type DocumentProblem, readApplePay, readGooglePay } from '../wallets/documents.ts'
import type { WalletSettings } from '../wallets/wallets.ts'
import { Failure } from './failure.ts'

/** Reads the configured wallets; null for others. @throws Failure when a file cannot be used */
export function walletSettingsOf({ googlePayFile, applePayFile }: Config): WalletSettings {
  return {
    googlePay: read('TOLLGATE_GOOGLE_PAY_FILE', googlePayFile, readGooglePay),
    applePay: read('TOLLGATE_APPLE_PAY_FILE', applePayFile, readApplePay),
  }
}

function read<T extends object>(env: string, file: string | null, reader: (text: string) => T | DocumentProblem) {
  if (file === null) return null
  const document = reader(textOf(env, file))
  if ('problem' in document) throw new Failure(`${env}: ${file} cannot be used. ${document.problem}`)
  return document as Exclude<T, DocumentProblem>
}

function textOf(env: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${env} must be a file that can be read; ${file} cannot.`, { cause: error })
  }
}
