/** Reads calls to tools outside the request: tools that the host executed, and OpenAI's custom tools, which take text as input. */
import type { LMDelta, ProviderCall } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt } from '../read-json.ts'

/** Collects the provider calls of a complete message, or of its deltas. Entries with the same index are joined. */
export class ProviderCalls {
  readonly #executed = new Map<unknown, JsonObject>()
  readonly #custom = new Map<unknown, CustomCall>()
  readonly #hosted = new Map<unknown, JsonObject>()

  push(message: unknown): void {
    for (const tool of arrayAt(message, 'executed_tools')) {
      if (!isObject(tool)) continue
      const key = numberAt(tool, 'index') ?? `at ${this.#executed.size}`
      this.#executed.set(key, { ...this.#executed.get(key), ...tool })
    }
    for (const entry of arrayAt(message, 'tool_calls')) {
      if (isPlain(entry)) continue
      if (isCustom(entry) || this.#isContinuation(entry)) this.#pushCustom(entry)
      else if (isHosted(entry)) this.#pushHosted(entry)
    }
  }

  calls(): readonly ProviderCall[] {
    return [
      ...[...this.#executed.values()].map(toExecuted),
      ...[...this.#custom.values()].map(toCustom),
      ...[...this.#hosted.values()].map(toHosted),
    ]
  }

  deltas(): LMDelta[] {
    return this.calls().map((call) => ({ type: 'provider_call', call }))
  }

  /** True for a later piece of a custom call, which has neither a type nor a tool name. */
  #isContinuation(entry: unknown): boolean {
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

  /** Adds a hosted call. Its body arrives as a whole, or in pieces with the same index. */
  #pushHosted(entry: JsonObject): void {
    const key = numberAt(entry, 'index') ?? `at ${this.#hosted.size}`
    const known = this.#hosted.get(key)
    const type = stringAt(entry, 'type') ?? ''
    const body = objectAt(entry, type)
    this.#hosted.set(key, { ...known, ...entry, ...(body && { [type]: join(objectAt(known, type), body) }) })
  }
}

function join(known: JsonObject = {}, piece: JsonObject): JsonObject {
  const pieces = Object.entries(piece).map(([key, value]) => {
    const before = fieldAt(known, key)
    if (typeof before === 'string' && typeof value === 'string') return [key, before + value]
    return [key, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value]
  })
  return { ...known, ...Object.fromEntries(pieces) }
}

interface CustomCall {
  readonly id: string | undefined
  name: string
  readonly input: string[]
}

/** True for a call to one of the request's tools, or for a piece of such a call. */
export function isOwn(entry: unknown): boolean {
  return isPlain(entry) || (!isCustom(entry) && !isHosted(entry))
}

/** Returns true for a piece of a function call. This check is a fast path, because a long call has thousands of pieces. */
function isPlain(entry: unknown): boolean {
  return isObject(entry) && isObject(entry.function) && entry.custom === undefined
}

/** True for a custom call. An empty `custom` object doesn't count, because some servers add one to every call. */
function isCustom(entry: unknown): boolean {
  return !!stringAt(fieldAt(entry, 'custom'), 'name') && !stringAt(fieldAt(entry, 'function'), 'name')
}

/**
 * True for a call to a tool that the host executes. GLM lists such a call with the others, with its body in a field named after the type.
 */
function isHosted(entry: unknown): entry is JsonObject {
  if (isObject(fieldAt(entry, 'function'))) return false
  const type = stringAt(entry, 'type') || 'function'
  return type !== 'function' && type !== 'custom'
}

function toHosted(entry: JsonObject): ProviderCall {
  const { index, ...raw } = entry
  const id = stringAt(raw, 'id') || undefined
  return { type: stringAt(raw, 'type') ?? '', by: 'provider', ...optional({ id }), raw }
}

function toExecuted(tool: JsonObject): ProviderCall {
  const named = optional({ id: stringAt(tool, 'id'), name: stringAt(tool, 'name') })
  return { type: stringAt(tool, 'type') ?? 'executed_tool', by: 'provider', ...named, raw: tool }
}

function toCustom({ id, name, input }: CustomCall): ProviderCall {
  const raw = { ...optional({ id }), type: 'custom', custom: { name, input: input.join('') } }
  return { type: 'custom', by: 'client', ...optional({ id }), name, raw }
}
