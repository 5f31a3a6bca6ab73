/** A case of the Berkeley Function Calling Leaderboard (BFCL), and its conversion to a request with tools. */
import type { LMRequest } from '@x/adapters'

export interface BFCLCase {
  readonly id: string
  readonly category: string
  /** `calls`: the calls in `ground_truth`. `no_call`: no call. `some_call`: at least one call. */
  readonly expect: 'calls' | 'no_call' | 'some_call'
  readonly question: string
  /** The whole conversation, if it has more than one message. */
  readonly messages?: LMRequest['messages']
  /** Ids of the functions that are offered as tools. */
  readonly tools: readonly string[]
  readonly ground_truth?: readonly unknown[]
  /** Why the leaderboard's own checker accepts no answer, or only one that violates the schema. Such a case is skipped. */
  readonly flags?: readonly string[]
  /** The language, for cases in Java and JavaScript. Such cases test prompt conventions and are skipped. */
  readonly lang?: string
}

export interface BFCLFunction {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

/** The leaderboard's checker, which is stored with the cases. */
export interface BFCLChecker {
  check(
    functions: readonly BFCLFunction[],
    calls: readonly { readonly name: string; readonly args: unknown }[],
    truth: readonly unknown[],
    category: string,
  ): { readonly valid: boolean; readonly error_type?: string; readonly error?: string }
}

export function toRequest({ question, messages }: BFCLCase, functions: readonly BFCLFunction[]): LMRequest {
  const tools = functions.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters: toSchema(parameters) as Record<string, unknown> },
  }))
  return { messages: messages ?? [{ role: 'user', content: question }], tools }
}

/** JSON Schema types for the Python types in the leaderboard's function documents. `any` means that there is no type. */
const TYPES: Readonly<Record<string, string | undefined>> = { dict: 'object', float: 'number', tuple: 'array', any: undefined }

function toSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toSchema)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).flatMap(([key, value]) => toKeyword(key, value)))
}

function toKeyword(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (key === 'type' && typeof value === 'string') {
    const type = Object.hasOwn(TYPES, value) ? TYPES[value] : value
    return type === undefined ? [] : [[key, type]]
  }
  if (key === 'properties')
    return [[key, Object.fromEntries(Object.entries(value as object).map(([name, property]) => [name, toSchema(property)]))]]
  // In the leaderboard's Python, a default of `null` or a container means that there is no default.
  if (key === 'optional' || (key === 'default' && (typeof value === 'object' || value === 'None'))) return []
  return [[key, toSchema(value)]]
}
