/** Converts a server's tool definition to a card, an effect and a tool. */
import { hiddenCharactersOf, type ToolCard } from '@x/registry'
import { defineTool, type Effect, jsonSchema, type Tool, type ToolContext } from '@x/tool-core'
import { type McpOutput, toModelOutput } from '../content/from-mcp.ts'
import { McpError } from '../errors.ts'
import { quoted } from './messages.ts'
import type { Settings, TrustedHint } from './options.ts'
import { revealed } from './revealed.ts'

/** A tool definition as a server sends it. */
export interface Definition {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: (Readonly<Partial<Record<TrustedHint, boolean>>> & { readonly title?: string | undefined }) | undefined
}

export type Execute = (args: object, context: ToolContext) => Promise<McpOutput>

export function toCard(name: string, definition: Definition, { trust }: Settings): ToolCard {
  const { inputSchema: args, outputSchema: output } = definition
  const effect = effectOf(definition, trust)
  return { name, description: describe(definition), args, ...(output && { output }), ...(effect && { effect }) }
}

/**
 * Returns the effect of a tool, based on its trusted annotations. If there are several, the strictest one determines the effect.
 */
export function effectOf({ annotations }: Definition, trust: readonly TrustedHint[]): Effect | undefined {
  if (annotations === undefined || trust.length === 0) return undefined
  const hasHint = (hint: TrustedHint, value: boolean) => trust.includes(hint) && annotations[hint] === value
  if (hasHint('destructiveHint', true) && !hasHint('readOnlyHint', true)) return 'destructive'
  if (hasHint('readOnlyHint', true)) return 'read'
  if (hasHint('idempotentHint', true)) return 'idempotent'
  return hasHint('destructiveHint', false) || hasHint('readOnlyHint', false) ? 'write' : undefined
}

/**
 * Returns the definition without hidden characters. With `hiddenCharacters: 'show'`, those in descriptions and titles are made
 * visible first. Throws `tool_refused` if any remain.
 */
export function toReadable(definition: Definition, settings: Settings): Definition {
  if (isPlain(definition)) return definition
  const found = hiddenIn(definition)
  if (found === undefined) return definition
  const shown = settings.hiddenCharacters === 'show' ? (revealed(definition) as Definition) : definition
  const kept = shown === definition ? found : hiddenIn(shown)
  if (kept !== undefined) throw refused(settings, definition, kept)
  return shown
}

function hiddenIn(definition: Definition): string | undefined {
  const { name, inputSchema: args, outputSchema: output } = definition
  return hiddenCharactersOf({ name, description: describe(definition), args, output } as unknown as Tool)[0]?.message
}

/** Creates the tool for a definition. Throws `tool_refused` if the definition can't become a tool. */
export function toTool(name: string, definition: Definition, settings: Settings, execute: Execute): Tool {
  const effect = effectOf(definition, settings.trust)
  try {
    return defineTool({
      name,
      description: describe(definition),
      args: jsonSchema<object>(definition.inputSchema),
      ...(effect && { effect }),
      module: `mcp:${settings.name}/${definition.name}`,
      // The source has its own timeout, which is paused while a person answers a question.
      timeoutMs: Number.POSITIVE_INFINITY,
      execute: execute as never,
      toModelOutput: toModelOutput as never,
    })
  } catch (cause) {
    throw refused(settings, definition, cause instanceof Error ? cause.message : String(cause))
  }
}

export function refused({ name: server }: Settings, { name }: Definition, words: string): McpError {
  return new McpError('tool_refused', `mcp("${server}"): the tool ${quoted(name)} was left out: ${words}`)
}

function describe({ name, title, description, annotations }: Definition): string {
  for (const text of [description, title, annotations?.title]) if (text !== undefined && text.trim() !== '') return text
  return name
}

/** Maximum depth of the recursive checks below. */
const MAX_LEVELS = 100
const UNUSUAL = /[^\t\n\r\x20-\x7e]/

/**
 * Returns true if all strings are printable ASCII, as in most definitions. Such a definition needs no search for hidden
 * characters. Returns false for values that are nested too deeply to be checked.
 */
function isPlain(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return !UNUSUAL.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (level > MAX_LEVELS) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, level + 1)) return false
    return true
  }
  for (const key in value) if (UNUSUAL.test(key) || !isPlain(value[key as never], level + 1)) return false
  return true
}

/**
 * Returns true for equal JSON values whose keys are in the same order. Returns false for values that are nested too deeply to be
 * compared.
 */
export function isSameJson(one: unknown, other: unknown, level = 0): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null || level > MAX_LEVELS) return false
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length || Array.isArray(one) !== Array.isArray(other)) return false
  return keys.every((key, index) => key === others[index] && isSameJson(one[key as never], other[key as never], level + 1))
}
