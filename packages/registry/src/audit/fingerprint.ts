/** Computes fingerprints of tools. They show whether a tool has changed since it was approved. */
import { isTool, MAX_DEPTH, sha256, type Tool } from '@x/tool-core'
import { kindOf, RegistryError } from '../errors.ts'

/** A map from tool names to fingerprints. Store it, as plain JSON, when the tools are approved. */
export type ToolFingerprints = { readonly [name: string]: string }

/** A difference between a tool and the approved version of it. */
export interface ToolDrift {
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
}

/**
 * Returns a SHA-256 hash of a tool's declaration: every string and schema, `kind`, `effect`, `strict` and `needsApproval`. The order of
 * object keys doesn't matter, but the order of arrays does. Functions can't be compared: `execute`, `toModelOutput`, `parse` and hooks may
 * change unnoticed, so pin the version of their package. Throws `invalid_entry` for a tool that is too large or too deep. The changelog
 * names releases that change fingerprints. Needs WebCrypto, which browsers provide only on secure pages.
 */
export async function fingerprintOf(tool: Tool): Promise<string> {
  return `sha256:${await sha256(canonicalText(tool))}`
}

/** Returns the fingerprints of several tools. Rejects with `duplicate_tool_name` if two tools have the same name. */
export async function fingerprintTools(tools: Iterable<Tool>): Promise<ToolFingerprints> {
  const known = byName(tools, 'fingerprintTools')
  const entries = [...known.values()].map(async (tool) => [tool.name, await fingerprintOf(tool)] as const)
  // `fromEntries` defines own properties, so a tool named `__proto__` is included.
  return Object.fromEntries(await Promise.all(entries))
}

/** Compares approved fingerprints with the current tools. Returns the changes sorted by name, or an empty list if nothing has changed. */
export async function findDrift(approved: ToolFingerprints, tools: Iterable<Tool>): Promise<readonly ToolDrift[]> {
  if (typeof approved !== 'object' || approved === null || Array.isArray(approved)) {
    throw new RegistryError(
      'invalid_entry',
      `findDrift: approved must be the result of fingerprintTools, { [name]: fingerprint }, got ${kindOf(approved)}.`,
    )
  }
  const before = new Map(Object.entries(approved))
  const now = new Map(Object.entries(await fingerprintTools(tools)))
  const drift: ToolDrift[] = []
  for (const name of [...new Set([...before.keys(), ...now.keys()])].sort()) {
    if (before.get(name) === now.get(name)) continue
    drift.push({ name, change: !before.has(name) ? 'added' : !now.has(name) ? 'removed' : 'changed' })
  }
  return drift
}

function byName(tools: Iterable<Tool>, owner: string): ReadonlyMap<string, Tool> {
  if (typeof tools?.[Symbol.iterator] !== 'function') {
    const fix = 'Pass [tool], or (await registry.resolve()).values() for a registry.'
    throw new RegistryError('invalid_entry', `${owner}: the tools must be iterable, got ${kindOf(tools)}. ${fix}`)
  }
  const known = new Map<string, Tool>()
  for (const tool of tools) {
    if (!isTool(tool)) {
      const fix = 'For a map of tools, pass map.values().'
      throw new RegistryError('invalid_entry', `${owner}: every item must be a tool, got ${kindOf(tool)}. ${fix}`)
    }
    const earlier = known.get(tool.name)
    if (earlier !== undefined && earlier !== tool) {
      throw new RegistryError(
        'duplicate_tool_name',
        `${owner}: two tools are named "${tool.name}". Remove or rename one of them.`,
      )
    }
    known.set(tool.name, tool)
  }
  return known
}

/**
 * Maximum size of one tool: its number of values plus its number of characters. Without a limit, a schema that refers to the same parts
 * repeatedly could double in size with each level.
 */
const MAX_SIZE = 1_000_000

function canonicalText(tool: Tool): string {
  const { kind, name, description, category, tags, args, arguments: list, examples, output, context, effect } = tool
  // A missing flag means the same as `false`.
  const flags = { strict: tool.strict === true, needsApproval: tool.needsApproval === true }
  const covered = { kind, name, description, category, tags, args, arguments: list, examples, output, context, effect, ...flags }
  return write(covered, { tool: name, ancestors: new Map(), left: MAX_SIZE })
}

interface Writing {
  readonly tool: string
  /** The objects that contain the current one, each with its depth. */
  readonly ancestors: Map<object, number>
  left: number
}

function write(value: unknown, writing: Writing): string {
  writing.left -= typeof value === 'string' ? value.length + 1 : 1
  if (writing.left < 0) throw tooLarge(writing)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof Date) return JSON.stringify(value)
  if (value instanceof RegExp) return `r${JSON.stringify(String(value))}`
  const { ancestors } = writing
  const held = ancestors.get(value)
  // Writes a circular reference as the number of levels up to its target.
  if (held !== undefined) return `^${ancestors.size - held}`
  if (ancestors.size >= MAX_DEPTH) throw endless(writing, `are nested deeper than ${MAX_DEPTH} levels`)
  ancestors.set(value, ancestors.size)
  const text = Array.isArray(value) ? writeList(value, writing) : writeMembers(value, writing)
  ancestors.delete(value)
  return text
}

function writeList(items: readonly unknown[], writing: Writing): string {
  if (items.length > writing.left) throw tooLarge(writing)
  return `[${items.map((item) => write(item, writing)).join(',')}]`
}

/** Writes the properties that JSON would contain: own, enumerable and not undefined. Skips TypeBox's hidden properties. */
function writeMembers(value: object, writing: Writing): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function')
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${write(key, writing)}:${write(member, writing)}`).join(',')}}`
}

function tooLarge(writing: Writing): RegistryError {
  return endless(writing, `have more than ${MAX_SIZE} values and characters`)
}

function endless({ tool }: Writing, words: string): RegistryError {
  return new RegistryError(
    'invalid_entry',
    `fingerprintOf("${tool}"): the tool's strings and schemas ${words}. Make them smaller.`,
  )
}
