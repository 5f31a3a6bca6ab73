/** Fingerprints of tools: what was approved once is recognised, and what has changed since is reported. */
import { isTool, MAX_DEPTH, type Tool } from '@x/tool-core'
import { RegistryError } from '../errors.ts'

/** The fingerprint of each tool by its name: plain JSON, to be stored when the tools were approved. */
export type ToolFingerprints = { readonly [name: string]: string }

/** What became of one tool since the approval. */
export interface ToolDrift {
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
}

/**
 * SHA-256 over what a model is shown of a tool and what the tool says that it does: every text and schema, `kind`, `effect`,
 * `strict` and `needsApproval`. The order of keys does not matter, that of lists does. Functions cannot be compared:
 * `execute`, `toModel`, `parse` and hooks may change without a trace, so pin the package that they come from.
 * Throws `invalid_entry` for a tool without end, since a part of it would not be a fingerprint. A release that changes what a
 * fingerprint is made of says so. Needs WebCrypto, which a browser has on secure pages only.
 */
export async function fingerprintOf(tool: Tool): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalText(tool))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Throws `duplicate_tool_name` for two tools of one name: only one of them could be approved. */
export async function fingerprintTools(tools: Iterable<Tool>): Promise<ToolFingerprints> {
  const known = byName(tools, 'fingerprintTools')
  const entries = [...known.values()].map(async (tool) => [tool.name, await fingerprintOf(tool)] as const)
  // Defines each member, so that a tool named `__proto__` is one as well.
  return Object.fromEntries(await Promise.all(entries))
}

/** What differs between the tools that were approved and those of now, by name; empty when nothing does. */
export async function findDrift(approved: ToolFingerprints, tools: Iterable<Tool>): Promise<readonly ToolDrift[]> {
  if (typeof approved !== 'object' || approved === null || Array.isArray(approved)) {
    throw new RegistryError('invalid_entry', 'findDrift: approved must be what fingerprintTools gave, { [name]: fingerprint }.')
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
    const fix = 'Give [tool], or of a registry (await registry.resolve()).values().'
    throw new RegistryError('invalid_entry', `${owner}: the tools are no list. ${fix}`)
  }
  const known = new Map<string, Tool>()
  for (const tool of tools) {
    if (!isTool(tool)) {
      throw new RegistryError('invalid_entry', `${owner}: the list holds what is no tool. Of a map of tools, give its values().`)
    }
    const earlier = known.get(tool.name)
    if (earlier !== undefined && earlier !== tool) {
      throw new RegistryError(
        'duplicate_tool_name',
        `${owner}: two tools are named "${tool.name}". Leave one out, or rename one.`,
      )
    }
    known.set(tool.name, tool)
  }
  return known
}

/** Values and texts of one tool, together: a schema that repeats its parts doubles with each level. */
const MAX_SIZE = 1_000_000

function canonicalText(tool: Tool): string {
  const { kind, name, description, category, tags, args, arguments: list, examples, output, context, effect } = tool
  // Left out and false mean the same.
  const flags = { strict: tool.strict === true, needsApproval: tool.needsApproval === true }
  const told = { kind, name, description, category, tags, args, arguments: list, examples, output, context, effect, ...flags }
  return write(told, { tool: name, ancestors: new Map(), left: MAX_SIZE })
}

interface Writing {
  readonly tool: string
  /** The objects that are being written, with their depth. */
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
  // A value that holds itself, by how far up it is.
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

/** Members that JSON writes: own, enumerable and with a value. What TypeBox hides in a schema is none. */
function writeMembers(value: object, writing: Writing): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function')
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${write(key, writing)}:${write(member, writing)}`).join(',')}}`
}

function tooLarge(writing: Writing): RegistryError {
  return endless(writing, `hold more than ${MAX_SIZE} values and characters`)
}

function endless({ tool }: Writing, words: string): RegistryError {
  return new RegistryError('invalid_entry', `fingerprintOf("${tool}"): its texts and schemas ${words}. Make them smaller.`)
}
