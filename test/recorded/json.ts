// test/recorded/json.ts — prints JSON so that a change affects few lines.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Longest value on one line. */
const WIDTH = 160

/** Prints a value: short lists and objects on one line, others with one line per member. */
export function printed(value: Json, indent = '', before = 0): string {
  const line = inLine(value)
  if (!isCompound(value) || indent.length + before + line.length <= WIDTH) return line
  const deeper = `${indent} `
  if (isList(value))
    return block(
      '[]',
      indent,
      value.map(each => printed(each, deeper)),
    )
  const members = Object.entries(value).map(([name, each]) => {
    const key = `${JSON.stringify(name)}: `
    return key + printed(each, deeper, key.length)
  })
  return block('{}', indent, members)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}

function isCompound(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null
}

function block(brackets: string, indent: string, members: readonly string[]): string {
  const lines = members.map(member => `${indent} ${member}`)
  return `${brackets[0]}\n${lines.join(',\n')}\n${indent}${brackets[1]}`
}

function inLine(value: Json): string {
  if (!isCompound(value)) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(inLine).join(', ')}]`
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
