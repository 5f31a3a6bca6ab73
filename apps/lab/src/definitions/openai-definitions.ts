/** Finds function definitions in the format of OpenAI's APIs, anywhere in a JSON value. */

export interface FunctionDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export function openaiDefinitionsIn(json: unknown): readonly FunctionDefinition[] {
  const found: FunctionDefinition[] = []
  const stack = [json]
  while (stack.length > 0) {
    const node = stack.pop()
    if (typeof node !== 'object' || node === null) continue
    stack.push(...Object.values(node))
    const { type, function: inner } = node as { readonly type?: unknown; readonly function?: unknown }
    if (type !== 'function') continue
    // The definition is nested in Chat Completions and flat in Responses.
    const { name, description, parameters, arguments: args } = (inner ?? node) as Readonly<Record<string, unknown>>
    // A call has the same form, but it has arguments.
    if (typeof name !== 'string' || args !== undefined) continue
    found.push({
      name,
      description: typeof description === 'string' && description.trim() !== '' ? description : name,
      // A definition may omit `parameters`, or the type in `parameters`, which can only be `object`.
      parameters: { type: 'object', ...(isObject(parameters) ? parameters : { properties: {} }) },
    })
  }
  return found
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
