/** Calls that are none of the request's tools: what Groq ran itself, and the custom tools of OpenAI, whose input is text. */
import type { LMDelta, ProviderCall } from '../../protocol.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt } from '../read-json.ts'

/** Gathers over one whole message, or over the deltas of one; what comes again under an index is the fuller one. */
export class ProviderCalls {
  readonly #executed = new Map<unknown, JsonObject>()
  readonly #custom = new Map<unknown, CustomCall>()

  push(message: unknown): void {
    for (const tool of arrayAt(message, 'executed_tools')) {
      if (!isObject(tool)) continue
      const key = numberAt(tool, 'index') ?? `at ${this.#executed.size}`
      this.#executed.set(key, { ...this.#executed.get(key), ...tool })
    }
    for (const entry of arrayAt(message, 'tool_calls')) if (isCustom(entry) || this.#goesOn(entry)) this.#pushCustom(entry)
  }

  calls(): readonly ProviderCall[] {
    return [...[...this.#executed.values()].map(toExecuted), ...[...this.#custom.values()].map(toCustom)]
  }

  deltas(): LMDelta[] {
    return this.calls().map((call) => ({ type: 'provider_call', call }))
  }

  /** A piece of a custom call names neither its type nor its tool. */
  #goesOn(entry: unknown): boolean {
    return objectAt(entry, 'function') === undefined && this.#custom.has(numberAt(entry, 'index'))
  }

  #pushCustom(entry: unknown): void {
    const index = numberAt(entry, 'index')
    const key = index ?? `at ${this.#custom.size}`
    const call = this.#custom.get(key) ?? { id: stringAt(entry, 'id') || undefined, name: '', input: [] }
    const custom = objectAt(entry, 'custom')
    call.name ||= stringAt(custom, 'name') ?? ''
    call.input.push(stringAt(custom, 'input') ?? '')
    this.#custom.set(key, call)
  }
}

interface CustomCall {
  readonly id: string | undefined
  name: string
  readonly input: string[]
}

/** Some servers send an empty one beside each call. */
export function isCustom(entry: unknown): boolean {
  return !!stringAt(fieldAt(entry, 'custom'), 'name') && !stringAt(fieldAt(entry, 'function'), 'name')
}

function toExecuted(tool: JsonObject): ProviderCall {
  const {
    type = 'executed_tool',
    id,
    name,
  } = { type: stringAt(tool, 'type'), id: stringAt(tool, 'id'), name: stringAt(tool, 'name') }
  return { type, by: 'provider', ...optional({ id, name }), raw: tool }
}

function toCustom({ id, name, input }: CustomCall): ProviderCall {
  const raw = { ...optional({ id }), type: 'custom', custom: { name, input: input.join('') } }
  return { type: 'custom', by: 'client', ...optional({ id }), name, raw }
}
