/** Fields to text and back: what both adapters share. */
import { isTool, type Tool, type ToolSpec, toSpec } from '@x/tool-core'
import { fieldKind, isOptionalField, type Signature } from './signature.ts'

/**
 * The specs of the tools in a signature's tool fields, in order. A frozen list is read once. Throws for what is no tool, and
 * for two of one name.
 */
export function toolSpecsIn(signature: Signature, inputs: object): readonly ToolSpec[] {
  const lists = fieldsOf(signature.inputs, 'tools').map(([field]): ToolList => [field, valueAt(inputs, field)])
  const [only] = lists
  if (only === undefined || lists.length > 1 || !Array.isArray(only[1]) || !Object.isFrozen(only[1])) return specsOf(lists)
  const known = specsOfFrozen.get(only[1]) ?? specsOf(lists)
  specsOfFrozen.set(only[1], known)
  return known
}

type ToolList = readonly [field: string, tools: unknown]

const specsOfFrozen = new WeakMap<readonly unknown[], readonly ToolSpec[]>()

function specsOf(lists: readonly ToolList[]): readonly ToolSpec[] {
  const specs = new Map<string, ToolSpec>()
  for (const [field, value] of lists) {
    const tools = [(value as readonly Tool[] | undefined) ?? []].flat()
    for (const [index, tool] of tools.entries()) {
      const place = `Input "${field}", tool ${index}`
      if (!isTool(tool)) throw new TypeError(`${place}: not a tool. Make it with defineTool.`)
      if (specs.has(tool.name)) throw new TypeError(`${place}: there is already a tool named "${tool.name}". Rename one.`)
      specs.set(tool.name, toSpec(tool))
    }
  }
  return Object.freeze([...specs.values()])
}

/** The plain inputs as the text of a user message: one field as it is, several under markers. Throws for one that is missing. */
export function formatInputs(signature: Signature, inputs: object): string {
  for (const [name, schema] of fieldsOf(signature.inputs, 'value')) {
    if (valueAt(inputs, name) === undefined && !isOptionalField(schema)) throw new TypeError(`The input "${name}" is missing.`)
  }
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
  const sections = fields.map(([name, schema]) => `${marker(name)}\n(${kindOfValue(schema)}) ${descriptionOf(schema)}`.trimEnd())
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

/** The texts that a field's schema allows, when it allows nothing else. */
export function choicesOf(schema: unknown): readonly string[] | undefined {
  const { enum: values, anyOf } = schema as { enum?: unknown; anyOf?: unknown }
  const choices: unknown = Array.isArray(anyOf) ? anyOf.map((member: { const?: unknown } | null) => member?.const) : values
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  return choices.every((choice) => typeof choice === 'string') ? choices : undefined
}

function kindOfValue(schema: unknown): string {
  return choicesOf(schema)?.join(' | ') ?? typeName(schema)
}

const MARKER_LINE = /^\[\[ ## (.{1,100}?) ## \]\] ?(.*)$/

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
