/** The traits of a tool besides its schema and implementation, and the valid values of each trait. */

import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import { isSchemaNode as isRecord } from '../schema/schema.ts'
import type { StatedArgument } from './argument.ts'

/** The side effects of a tool. An `idempotent` call may be repeated with the same key. A `destructive` call can't be undone. */
export type Effect = 'read' | 'idempotent' | 'write' | 'destructive'

/** An example call. */
export interface ToolExample {
  readonly args: Readonly<Record<string, unknown>>
  /** When a model should make this call. */
  readonly description?: string | undefined
}

/** True for `write` and `destructive`. An agent runs such a call alone, and an identical call in the same turn isn't run again. */
export function declaresWrite(effect: Effect | undefined): boolean {
  return effect === 'write' || effect === 'destructive'
}

/** True if a call may be repeated although it may already have taken effect. False for an undeclared effect. */
export function isRepeatable(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent'
}

export interface ToolTraits {
  /** The arguments as a list, instead of the list derived from `args`. May reword the derived list but not contradict it. */
  readonly arguments?: readonly StatedArgument[] | undefined
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Side effects of the tool. Without a declared effect, a call counts as unsafe to repeat, for example after a timeout. */
  readonly effect?: Effect | undefined
  /** Timeout for each attempt, in milliseconds; `Infinity` for none. Default: 60,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of retries after retryable errors. Default: 0. */
  readonly maxRetries?: number | undefined
  /** Origin of the tool, e.g. `tools/weather`. Shown in errors and listings, never loaded. */
  readonly module?: string | undefined
  readonly examples?: readonly ToolExample[] | undefined
  /** Refuses undeclared arguments instead of removing them, unless the schema allows them. Default: false. */
  readonly strict?: boolean | undefined
  /** Runs a call only after the caller's `approve` has returned true. Default: false. */
  readonly needsApproval?: boolean | undefined
  /** Approximate maximum length of the output in a result of `callTool`, in characters of JSON. Default: 1,000,000. */
  readonly maxOutputLength?: number | undefined
  /**
   * Permits `context.call` and `context.ask` in `execute`. `execute` then runs again from the start whenever its run is resumed. `true`
   * permits calls to all tools of the run. A list permits only the tools that match its names and patterns, such as `get_*`.
   */
  readonly nested?: true | readonly string[] | undefined
  /** Maximum size of the images and files that `toModelOutput` returns, in bytes. Default: 10 MiB. */
  readonly maxMediaBytes?: number | undefined
}

/** Describes the valid values of each trait, and checks them. */
const RULES: { readonly [Trait in keyof ToolTraits]-?: readonly [must: string, holds: (value: unknown) => boolean] } = {
  arguments: ['a list of { name, type, description }', (value) => isListOf(value, isArgument)],
  category: ['a non-empty string', isText],
  tags: ['a list of non-empty strings', (value) => isListOf(value, isText)],
  effect: ['"read", "idempotent", "write" or "destructive"', (value) => EFFECTS.has(value)],
  timeoutMs: ['a number of milliseconds or Infinity', (value) => typeof value === 'number' && value >= 0],
  maxRetries: ['a whole number', isCount],
  module: ['a non-empty string', isText],
  examples: ['a list of { args }', (value) => isListOf(value, (example) => isRecord(example) && isRecord(example.args))],
  strict: ['true or false', (value) => typeof value === 'boolean'],
  needsApproval: ['true or false', (value) => typeof value === 'boolean'],
  maxOutputLength: ['a whole number of characters', isCount],
  nested: ['true, or a list of tool names and patterns such as "get_*"', (value) => value === true || isListOf(value, isText)],
  maxMediaBytes: ['a whole number of bytes', isCount],
}

const TRAITS = Object.keys(RULES) as readonly (keyof ToolTraits)[]
const EFFECTS: ReadonlySet<unknown> = new Set<Effect>(['read', 'idempotent', 'write', 'destructive'])

/** Throws an `invalid_definition` error for an invalid trait. The message names the owner and the trait. */
export function assertTraits(traits: ToolTraits, owner: string): void {
  for (const trait of TRAITS) {
    const value: unknown = traits[trait]
    if (value === undefined) continue
    const [must, holds] = RULES[trait]
    if (holds(value)) continue
    throw new ToolError('invalid_definition', `${owner}: ${trait} must be ${must}, got ${describeValue(value)}.`)
  }
  if (traits.nested !== undefined && traits.maxRetries)
    throw new ToolError(
      'invalid_definition',
      `${owner}: maxRetries must not be set with nested: a retry would repeat its calls. Set maxRetries on the tools that it calls.`,
    )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isListOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds)
}

function isArgument(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value.name) &&
    isText(value.type) &&
    typeof value.description === 'string' &&
    (value.required === undefined || typeof value.required === 'boolean')
  )
}
