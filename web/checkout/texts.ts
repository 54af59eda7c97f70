// web/checkout/texts.ts — texts of the dialogue. Field labels are those of the card form.
import { textsOf } from '../frame/texts.ts'

interface ButtonTexts {
  readonly payNow: string
  readonly pay: string
  readonly close: string
  readonly email: string
  readonly phone: string
  readonly missing: string
  readonly correct: string
  readonly unavailable: string
}

const ENGLISH = textsIn(
  'Pay Now',
  'Pay',
  'Close',
  'E-mail',
  'Phone',
  'Please fill in',
  'Please correct',
  'The payment form could not be loaded',
)

const TEXTS: Readonly<Record<string, ButtonTexts>> = {
  en: ENGLISH,
  de: textsIn(
    'Jetzt bezahlen',
    'Bezahlen',
    'Schließen',
    'E-Mail',
    'Telefon',
    'Bitte ausfüllen',
    'Bitte korrigieren',
    'Das Zahlungsformular konnte nicht geladen werden',
  ),
  fr: textsIn(
    'Payer maintenant',
    'Payer',
    'Fermer',
    'E-mail',
    'Téléphone',
    'Veuillez remplir',
    'Veuillez corriger',
    'Le formulaire de paiement n’a pas pu être chargé',
  ),
  es: textsIn(
    'Pagar ahora',
    'Pagar',
    'Cerrar',
    'Correo electrónico',
    'Teléfono',
    'Rellene',
    'Corrija',
    'No se pudo cargar el formulario de pago',
  ),
  it: textsIn(
    'Paga ora',
    'Paga',
    'Chiudi',
    'E-mail',
    'Telefono',
    'Compila',
    'Correggi',
    'Non è stato possibile caricare il modulo di pagamento',
  ),
  nl: textsIn(
    'Nu betalen',
    'Betalen',
    'Sluiten',
    'E-mail',
    'Telefoon',
    'Vul in',
    'Corrigeer',
    'Het betaalformulier kon niet worden geladen',
  ),
  pl: textsIn(
    'Zapłać teraz',
    'Zapłać',
    'Zamknij',
    'E-mail',
    'Telefon',
    'Uzupełnij',
    'Popraw',
    'Nie udało się wczytać formularza płatności',
  ),
  cy: textsIn(
    'Talu nawr',
    'Talu',
    'Cau',
    'E-bost',
    'Ffôn',
    'Llenwch',
    'Cywirwch',
    'Nid oedd modd llwytho’r ffurflen dalu',
  ),
}

export interface CheckoutTexts extends ButtonTexts {
  readonly expired: string
  readonly unusable: string
  readonly addressLine: string
  readonly city: string
  readonly county: string
  readonly postcode: string
  readonly country: string
}

export function checkoutTexts(locale: string): CheckoutTexts {
  const { language, texts } = textsOf(locale)
  const { expired, unusable, city, county, postcode, country, addressLine1 } = texts
  const addressLine = addressLine1.replace(/\s*1$/, '')
  return { ...(TEXTS[language] ?? ENGLISH), expired, unusable, addressLine, city, county, postcode, country }
}

function textsIn(
  payNow: string,
  pay: string,
  close: string,
  email: string,
  phone: string,
  missing: string,
  correct: string,
  unavailable: string,
): ButtonTexts {
  return { payNow, pay, close, email, phone, missing, correct, unavailable }
}
