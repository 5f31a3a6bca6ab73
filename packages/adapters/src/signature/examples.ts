/** Validates a signature's examples when the signature is defined. */
import { findFault, MAX_DEPTH, type ToolCall } from '@x/tool-core'
import { isRecord } from '../is-record.ts'
import { choicesOf, typeName } from './fields.ts'
import { mediaFieldFault } from './media-fields.ts'
import type { Signature, SignatureExample } from './signature.ts'
import { fieldKind, isOptionalField, isToolKind } from './tool-fields.ts'

/**
 * Throws a TypeError with the path if an example lacks an input, has an undeclared field, or has a value that doesn't fit the
 * JSON type or the choices in its schema. Doesn't check other keywords, because that would need a validator.
 */
export function assertExamples(signature: Signature): void {
  if (signature.examples === undefined) return
  if (!Array.isArray(signature.examples)) throw wrong('examples', 'must be an array')
  for (const [index, example] of signature.examples.entries()) {
    const place = `examples[${index}]`
    const { inputs, outputs = {} } = (example ?? {}) as Partial<SignatureExample>
    if (!isRecord(inputs) || !isRecord(outputs)) throw wrong(place, 'must have the form { inputs: {…}, outputs: {…} }')
    for (const [name, schema] of Object.entries(signature.inputs)) {
      if (!['value', 'media'].includes(fieldKind(schema)) || isOptionalField(schema)) continue
      if (Object.hasOwn(inputs, name) && inputs[name] !== undefined) continue
      throw wrong(`${place}.inputs`, `is missing the input "${name}"`)
    }
    assertFields(inputs, signature.inputs, `${place}.inputs`)
    assertFields(outputs, signature.outputs, `${place}.outputs`)
  }
}

function assertFields(values: Record<string, unknown>, fields: Readonly<Record<string, unknown>>, place: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(fields, name))
      throw wrong(
        place,
        `has "${name}", which the signature does not declare. Declared fields: ${Object.keys(fields).join(', ')}`,
      )
    const words = value === undefined ? undefined : faultOf(value, fields[name])
    if (words !== undefined) throw wrong(`${place}.${name}`, words)
  }
}

function faultOf(value: unknown, schema: unknown): string | undefined {
  const kind = fieldKind(schema)
  if (isToolKind(kind)) return 'contains tools. Remove it: the tools come from the request'
  if (kind === 'media') return mediaFieldFault(schema, value)
  const fault = findFault(value, MAX_DEPTH)
  if (fault !== undefined) return `cannot be sent: its contents ${fault.words}`
  if (kind === 'tool_calls') return areCalls(value) ? undefined : 'must be an array of tool calls { id, name, args }'
  if (!isJson(value)) return 'cannot be written as JSON'
  const choices = choicesOf(schema)
  if (choices !== undefined) return choices.includes(value as string) ? undefined : `must be one of: ${choices.join(', ')}`
  return isOfType(value, typeName(schema)) ? undefined : `must be of type ${typeName(schema)}`
}

function areCalls(value: unknown): value is readonly ToolCall[] {
  return Array.isArray(value) && value.every((call) => isRecord(call) && typeof call.name === 'string' && isRecord(call.args))
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'null':
      return value === null
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}

function wrong(place: string, words: string): TypeError {
  return new TypeError(`defineSignature: ${place} ${words}.`)
}
