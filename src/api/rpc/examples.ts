// src/api/rpc/examples.ts — values shown in the description of the messages.

export const EXAMPLE_PAYMENT = {
  tid: '22160001',
  transactionType: 'SALE',
  transactionResult: 'SUCCESSFUL',
  amountBase: 1250,
  amountCashback: 0,
  amountGratuity: 0,
  amountTotal: 1250,
  currency: 'GBP',
  authCode: 'Q4R8T1',
  cardSchemeName: 'VISA',
  paymentMethod: 'ICC_CHIP',
  cardholderVerificationMethod: 'PIN',
  applicationId: 'A0000000031010',
  applicationLabel: 'VISA DEBIT',
  primaryAccountNumber: '************4321',
  primaryAccountNumberSequence: '00',
  dateOfExpiry: '09/29',
  dateOfStart: '',
  transactionId: '8830127',
  transactionNumber: '0042',
  transactionTime: '2026-03-02T12:41:07',
  receiptLines: {
    MERCHANT: [{ value: 'SALE', type: 'TEXT', format: ['BOLD'] }],
    CUSTOMER: [{ value: 'Please keep this receipt', type: 'TEXT' }],
  },
}
