// src/api/describe/pages/schema-table.ts — renders a JSON schema as an HTML table, one row for each member.
import { escapeHtml, escapeProse } from './html.ts'

/** The part of JSON Schema that our messages use. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Row {
  readonly path: string
  readonly schema: Schema
  readonly required: boolean
}

/** Returns the table of all members, nested ones included. Empty text when there are none. */
export function schemaTable(schema: unknown, caption: string): string {
  const rows = rowsOf(schema as Schema, '')
  if (rows.length === 0) return ''
  const body = rows.map(
    ({ path, schema, required }) =>
      `<tr><td>${escapeHtml(path)}</td><td>${typeOf(schema)}</td><td>${required ? 'yes' : ''}</td>` +
      `<td>${escapeProse(schema.description ?? '')}</td></tr>`,
  )
  return `<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>`
}

function rowsOf(schema: Schema, prefix: string): readonly Row[] {
  // The first variant is the most complete one.
  if (schema.type === undefined && schema.anyOf?.[0] !== undefined) return rowsOf(schema.anyOf[0], prefix)
  const { items, properties = {}, additionalProperties, required = [] } = schema
  if (items !== undefined) return rowsOf(items, `${prefix}[]`)
  const named = Object.entries(properties).map(([name, member]) => [name, member, required.includes(name)] as const)
  // A map has one schema for all names.
  const mapped = typeof additionalProperties === 'object' ? ([['*', additionalProperties, false]] as const) : []
  return [...named, ...mapped].flatMap(([name, member, isRequired]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [{ path, schema: member, required: isRequired }, ...rowsOf(member, path)]
  })
}

function typeOf(schema: Schema): string {
  const words = schema.enum ?? (schema.const === undefined ? null : [schema.const])
  if (words !== null) return words.map(word => `<code>${escapeHtml(String(word))}</code>`).join(' ')
  if (schema.items !== undefined) return `array of ${schema.items.type ?? 'anything'}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  const { minimum, maximum } = schema
  const range = minimum === undefined ? '' : maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum} to ${maximum}`
  return escapeHtml(`${schema.type ?? 'anything'}${range}`)
}
