/** Validates the inputs of a task against its signature before anything is sent to a model. */
import { fieldKind, isOptionalField, mediaFieldFault, type Signature } from '@x/adapters'
import { checkContext, type Issue, type Tool, validate, valueAt } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { orAborted } from '../until-aborted.ts'

/**
 * Rejects with `invalid_inputs` and describes every invalid field. The error contains only the types of values, never the values. Doesn't
 * convert values or fill in defaults. Fields for tools are checked by the adapter.
 */
export async function assertInputs(
  owner: string,
  { inputs: fields }: Signature,
  inputs: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (typeof inputs !== 'object' || inputs === null) throw wrongInputs(owner, [`they are ${typeOf(inputs)}, not an object`])
  const problems: string[] = []
  for (const [name, schema] of Object.entries(fields)) {
    const kind = fieldKind(schema)
    if (kind !== 'value' && kind !== 'media') continue
    const value = Object.hasOwn(inputs, name) ? (inputs as Record<string, unknown>)[name] : undefined
    if (value === undefined) {
      if (!isOptionalField(schema)) problems.push(`"${name}" is missing`)
      continue
    }
    problems.push(...(await orAborted(validate(schema, value), signal)).map((issue) => describeIssue(name, value, issue)))
    const fault = mediaFieldFault(schema, value)
    if (fault !== undefined) problems.push(`"${name}" ${fault}`)
  }
  if (problems.length > 0) throw wrongInputs(owner, problems)
}

function wrongInputs(owner: string, problems: readonly string[]): AgentError {
  return new AgentError(
    'invalid_inputs',
    `${owner}: the inputs do not match the signature: ${problems.join('; ')}. The model was not called.`,
  )
}

/** Describes an issue, for example: `"n" must be integer, but is a string`; `"user" /age must be >= 0, but is a number`. */
function describeIssue(name: string, value: unknown, { path, message, keyword }: Issue): string {
  const place = path === '' ? `"${name}"` : `"${name}" ${path}`
  return keyword === 'required' ? `${place} ${message}` : `${place} ${message}, but is ${typeOf(valueAt(value, path))}`
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/**
 * Rejects with `invalid_context` if the run's context doesn't match its tools. The error names every tool and field, but contains no
 * values.
 */
export async function assertValues(tools: readonly Tool[], values: object): Promise<void> {
  const problems: string[] = []
  for (const { name, context } of tools) {
    if (context === undefined) continue
    for (const { path, message } of await checkContext(context, values))
      problems.push(`tool "${name}": ${path} ${message}`.replace('  ', ' '))
  }
  if (problems.length === 0) return
  throw new AgentError(
    'invalid_context',
    `The run's context does not match its tools: ${problems.join('; ')}. Pass it as run(inputs, { context: { … } }).`,
  )
}
