/** Fields to text and back: what both adapters share. */
import { type Tool, type ToolSpec, toSpec } from '@x/tool-core'
import { fieldKind, type Signature } from './signature.ts'

/** The specs of the tools in a signature's tool fields, in order. */
export function toolSpecsIn(signature: Signature, inputs: object): readonly ToolSpec[] {
  return fieldsOf(signature.inputs, 'tools')
    .flatMap(([name]) => (valueAt(inputs, name) as readonly Tool[] | undefined) ?? [])
    .map(toSpec)
}

/** The plain inputs as the text of a user message: one field as it is, several under markers. */
export function formatInputs(signature: Signature, inputs: object): string {
  const fields = fieldsOf(signature.inputs, 'value').filter(([name]) => valueAt(inputs, name) !== undefined)
  const [only] = fields
  if (only !== undefined && fields.length === 1) return renderValue(valueAt(inputs, only[0]))
  return fields.map(([name]) => `${marker(name)}\n${renderValue(valueAt(inputs, name))}`).join('\n\n')
}

/** The instructions, with what the fields' descriptions add and the form of the reply. */
export function formatInstructions(signature: Signature): string {
  const inputs = fieldsOf(signature.inputs, 'value').flatMap(([name, schema]) => describedLine(name, schema))
  const parts = [signature.instructions, inputs.length > 0 ? `Inputs:\n${inputs.join('\n')}` : '', outputForm(signature)]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** How to write the plain outputs: nothing to say for one text, markers for several fields. */
export function outputForm(signature: Signature): string {
  const fields = fieldsOf(signature.outputs, 'value')
  const [only] = fields
  if (only === undefined) return ''
  if (isOneText(signature))
    return describedLine(only[0], only[1])
      .map((line) => `Reply with:\n${line}`)
      .join('')
  const sections = fields.map(([name, schema]) => `${marker(name)}\n(${typeName(schema)}) ${descriptionOf(schema)}`.trimEnd())
  return `Write each part of your reply under its marker, exactly like this:\n${sections.join('\n')}`
}

/** True when the plain outputs are one text field: then the whole text is its value. */
export function isOneText(signature: Signature): boolean {
  const [first, ...others] = fieldsOf(signature.outputs, 'value')
  return first !== undefined && others.length === 0 && typeName(first[1]) === 'string'
}

export function fieldsOf(fields: object, kind: ReturnType<typeof fieldKind>): [string, unknown][] {
  return Object.entries(fields).filter(([, schema]) => fieldKind(schema) === kind)
}

/** The text under each marker; linear, and a marker inside a line is text. */
export function splitSections(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>()
  let name: string | undefined
  let lines: string[] = []
  const close = () => {
    if (name !== undefined && !sections.has(name)) sections.set(name, lines.join('\n').trim())
  }
  for (const line of text.split('\n')) {
    const opened = MARKER_LINE.exec(line.trim())
    if (opened === null) {
      lines.push(line)
      continue
    }
    close()
    name = opened[1] as string
    lines = opened[2] === '' ? [] : [opened[2] as string]
  }
  close()
  return sections
}

/** The JSON type that a field's schema names; `json` when it names none. */
export function typeName(schema: unknown): string {
  const type = (schema as { type?: unknown }).type
  return typeof type === 'string' ? type : 'json'
}

const MARKER_LINE = /^\[\[ ## (\w{1,100}) ## \]\] ?(.*)$/

function marker(name: string): string {
  return `[[ ## ${name} ## ]]`
}

function describedLine(name: string, schema: unknown): string[] {
  const description = descriptionOf(schema)
  return description === '' ? [] : [`- ${name}: ${description}`]
}

function descriptionOf(schema: unknown): string {
  const { description } = schema as { description?: unknown }
  return typeof description === 'string' ? description : ''
}

function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function valueAt(inputs: object, name: string): unknown {
  return Object.hasOwn(inputs, name) ? (inputs as Record<string, unknown>)[name] : undefined
}
