// web/frame/field-names.ts — names of the form’s fields.
import type { FieldName } from '../protocol.ts'

export type AddressName = 'addressLine1' | 'addressLine2' | 'addressLine3' | 'city' | 'county' | 'postcode' | 'country'
export type AnyFieldName = FieldName | AddressName
