/** Describes a signature's fields as text, for all adapters. */
import { mediaWord } from './media-fields.ts'
import type { Signature } from './signature.ts'
import { type FieldKind, fieldKind, isOptionalField } from './tool-fields.ts'

/** Writes each value under its marker. */
export function formatSections(fields: readonly (readonly [name: string, value: unknown])[]): string {
  return fields.map(([name, value]) => `${marker(name)}\n${renderValue(value)}`).join('\n\n')
}

/** Writes outputs in the form that the native adapter and text adapters ask for. */
export function formatOutputs(signature: Signature, outputs: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = Object.entries(outputs)
  if (only === undefined || (others.length === 0 && isOneText(signature))) return renderValue(only?.[1] ?? '')
  return formatSections([only, ...others])
}

/** Writes the instructions, the descriptions of the fields, and the format of the reply. */
export function formatInstructions(signature: Signature): string {
  return joinParts(signature.instructions, describeInputs(signature), outputForm(signature))
}

/** Joins the non-empty parts with blank lines. */
export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Lists the inputs that have a description, except inputs that hold tools. */
export function describeInputs(signature: Signature): string {
  const inputs = inputFields(signature).flatMap(([name, schema]) => describedLine(name, schema))
  return inputs.length > 0 ? `Inputs:\n${inputs.join('\n')}` : ''
}

/** Describes how to write the plain outputs: each under a marker, or without a marker if the only output is text. */
export function outputForm(signature: Signature): string {
  const fields = fieldsOf(signature.outputs, 'value')
  const [only] = fields
  if (only === undefined) return ''
  if (isOneText(signature)) return describeOneText(only)
  const sections = fields.map(describeSection).join('\n')
  return `Write each part of your reply under its marker. The line below a marker shows the type and the description. Write the value in its place:\n${sections}`
}

/**
 * Writes a field's marker. The next line contains its type, whether it is optional, and its description. Arrays and objects are
 * described by their JSON Schema, because the name of a type isn't enough.
 */
export function describeSection([name, schema]: readonly [string, unknown]): string {
  const kind = mediaWord(schema) ?? kindOfValue(schema)
  const form = ['array', 'object', 'json'].includes(kind) ? `JSON matching this schema: ${JSON.stringify(schema)}` : kind
  return `${marker(name)}\n(${form}${mayBeMissing(schema) ? ', optional' : ''}) ${descriptionOf(schema)}`.trimEnd()
}

/** Describes an output that is the whole reply. */
export function describeOneText([name, schema]: readonly [string, unknown]): string {
  return describedLine(name, schema)
    .map((line) => `Reply with:\n${line}`)
    .join('')
}

/** Returns true if the only plain output is a text field, whose value is then the whole text. */
export function isOneText(signature: Signature): boolean {
  const [first, ...others] = fieldsOf(signature.outputs, 'value')
  return first !== undefined && others.length === 0 && typeName(first[1]) === 'string'
}

/** Returns true if the signature has calls and a single text output. All text next to the calls is then its value. */
export function isTextNextToCalls(signature: Signature): boolean {
  return isOneText(signature) && hasCalls(signature)
}

export function hasCalls({ outputs }: Signature): boolean {
  return fieldsOf(outputs, 'tool_calls').length > 0
}

/** Returns the inputs that are sent in a message: plain values, images and files. */
export function inputFields({ inputs }: Signature): [string, unknown][] {
  return Object.entries(inputs).filter(([, schema]) => ['value', 'media'].includes(fieldKind(schema)))
}

export function fieldsOf(fields: object, kind: FieldKind): [string, unknown][] {
  return Object.entries(fields).filter(([, schema]) => fieldKind(schema) === kind)
}

/** Returns true if a field is optional or has a default. */
export function mayBeMissing(schema: unknown): boolean {
  return isOptionalField(schema) || (schema as { default?: unknown } | undefined)?.default !== undefined
}

/** Returns the JSON type of a field, or `json` if its schema has none. */
export function typeName(schema: unknown): string {
  const type = (schema as { type?: unknown }).type
  return typeof type === 'string' ? type : 'json'
}

/** Returns the strings that a field allows. Returns undefined if it also allows other values. */
export function choicesOf(schema: unknown): readonly string[] | undefined {
  const { enum: values, anyOf } = schema as { enum?: unknown; anyOf?: unknown }
  const choices: unknown = Array.isArray(anyOf) ? anyOf.map((member: { const?: unknown } | null) => member?.const) : values
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  return choices.every((choice) => typeof choice === 'string') ? choices : undefined
}

/** Returns a short name for the type of a field, such as `integer` or `good | bad`. */
function kindOfValue(schema: unknown): string {
  return choicesOf(schema)?.join(' | ') ?? typeName(schema)
}

export function marker(name: string): string {
  return `[[ ## ${name} ## ]]`
}

export function descriptionOf(schema: unknown): string {
  const { description } = schema as { description?: unknown }
  return typeof description === 'string' ? description : ''
}

function describedLine(name: string, schema: unknown): string[] {
  const description = descriptionOf(schema)
  return description === '' ? [] : [`- ${name}: ${description}`]
}

export function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
