/** What tells a tool apart beside its schema and implementation, and what a legal value of each trait is. */

import { ToolError } from '../errors.ts'
import type { ToolArgument } from './argument.ts'

/** What a tool does to the world. `idempotent` may be repeated with the same key, `destructive` cannot be undone. */
export type Effect = 'read' | 'idempotent' | 'write' | 'destructive'

/** A call that shows how the tool is meant to be used. */
export interface ToolExample {
  readonly args: Readonly<Record<string, unknown>>
  /** When one would call it so. */
  readonly description?: string | undefined
}

export interface ToolTraits {
  /** In place of the list that is derived from `args`, which it may reword but not contradict. */
  readonly arguments?: readonly ToolArgument[] | undefined
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Undeclared counts as `write` wherever repeating a call matters. */
  readonly effect?: Effect | undefined
  /** Deadline of one execution, in milliseconds; 60,000 unless told, `Infinity` for none. */
  readonly timeoutMs?: number | undefined
  /** How often an execution that failed with a retryable error is repeated; 0 unless told. */
  readonly maxRetries?: number | undefined
  /** Where the tool comes from, e.g. `tools/weather`: shown in errors and listings, never loaded. */
  readonly module?: string | undefined
  readonly examples?: readonly ToolExample[] | undefined
  /** Refuses undeclared arguments, at every level that does not allow them itself, instead of removing them. */
  readonly strict?: boolean | undefined
  /** Such a call is run only after the caller's `approve` said yes. */
  readonly needsApproval?: boolean | undefined
  /** Characters of JSON that a result of `callTool` keeps of the output, about; 1,000,000 unless told. */
  readonly maxOutputLength?: number | undefined
}

/** What each trait must be, in words for the one who wrote it, and how to tell. */
const RULES: { readonly [Trait in keyof ToolTraits]-?: readonly [must: string, holds: (value: unknown) => boolean] } = {
  arguments: ['a list of { name, type, description, required }', (value) => isListOf(value, isArgument)],
  category: ['a text that is not empty', isText],
  tags: ['a list of texts that are not empty', (value) => isListOf(value, isText)],
  effect: ['"read", "idempotent", "write" or "destructive"', (value) => EFFECTS.has(value)],
  timeoutMs: ['a number of milliseconds or Infinity', (value) => typeof value === 'number' && value >= 0],
  maxRetries: ['a whole number', isCount],
  module: ['a text that is not empty', isText],
  examples: ['a list of { args }', (value) => isListOf(value, (example) => isRecord(example) && isRecord(example.args))],
  strict: ['true or false', (value) => typeof value === 'boolean'],
  needsApproval: ['true or false', (value) => typeof value === 'boolean'],
  maxOutputLength: ['a whole number of characters', isCount],
}

const TRAITS = Object.keys(RULES) as readonly (keyof ToolTraits)[]
const EFFECTS: ReadonlySet<unknown> = new Set<Effect>(['read', 'idempotent', 'write', 'destructive'])

/** Throws `invalid_definition`, which names the owner and the trait. */
export function assertTraits(traits: ToolTraits, owner: string): void {
  for (const trait of TRAITS) {
    const value: unknown = traits[trait]
    if (value === undefined) continue
    const [must, holds] = RULES[trait]
    if (holds(value)) continue
    throw new ToolError('invalid_definition', `${owner}: ${trait} must be ${must}, got ${shown(value)}.`)
  }
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isArgument(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value.name) &&
    isText(value.type) &&
    typeof value.description === 'string' &&
    typeof value.required === 'boolean'
  )
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? 'a list that holds something else'
      : String(value)
}
