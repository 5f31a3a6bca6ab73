/** Converts prepared calls to plain data, to show, digest and store them, and restores them for execution. */
import {
  boundOutput,
  type CallOptions,
  canonicalJson,
  coerceValue,
  digestOf,
  MAX_ARGS_LENGTH,
  type OutputTagName,
  type PreparedCall,
  prepareCall,
  type Tool,
  type ToolCall,
} from '@x/tool-core'
import { isClientTool } from './client-tool.ts'
import type { DecidedCall, KeptArgs, PendingCall } from './decision.ts'

/** The data that an approver decides about. */
export type Shown = Pick<PendingCall, 'args' | 'executes' | 'digest' | 'tags'>

/** Converts a prepared call to plain data. The data is a copy, so changes to it don't affect what is executed. */
export async function toShown({ tool, args, shown, tags }: PreparedCall): Promise<Shown> {
  const isSame = shown === args
  const executed = toJson(args)
  const copy = isSame ? executed.value : toJson(shown).value
  const parts = { tool: fingerprintOf(tool), args: copy, ...(isSame ? {} : { executes: executed.value }) }
  // Another process can't compare arguments without a JSON form, so their digest is made unique to this process.
  const digest = await digestOf(executed.isKnown ? parts : { ...parts, process: crypto.randomUUID() })
  const changes = tags.length > 0 ? { tags } : {}
  if (isSame && executed.isWhole) return { args: copy, digest, ...changes }
  return { args: copy, digest, executes: executed.isWhole ? executed.value : null, ...changes }
}

/** Returns the arguments as plain data, or null if JSON can't represent them. */
export function toKept(args: object): KeptArgs | null {
  const { value, isWhole } = toJson(args)
  return isWhole ? value : null
}

/** Returns a copy of the value as JSON. Returns undefined if the copy would be incomplete. */
export function toKnown(given: unknown): unknown {
  const { value, isKnown } = toJson(given)
  return isKnown ? value : undefined
}

interface Json {
  readonly value: KeptArgs
  /** True if the JSON form is lossless. */
  readonly isWhole: boolean
  /** True if no other arguments have the same JSON form. */
  readonly isKnown: boolean
}

function toJson(args: unknown): Json {
  const { value, tags } = boundOutput(args, MAX_ARGS_LENGTH)
  // `boundOutput` lists at most 100 tags, so a list of 100 may be incomplete.
  const isKnown = tags.length < 100 && !tags.some(({ tag }) => LOSSY.has(tag))
  // The value is copied through JSON, so that the copy equals what another process would read. `structuredClone` fails for a proxy.
  return { value: JSON.parse(JSON.stringify(value)) as KeptArgs, isWhole: value === args, isKnown }
}

const LOSSY: ReadonlySet<OutputTagName> = new Set(['described', 'circular', 'too_deep', 'truncated'])

/** Restores a prepared call. Returns undefined if it has to be prepared again, because JSON can't represent its arguments. */
export function fromShown(
  tool: Tool,
  call: ToolCall,
  { args, executes = args, tags = [] }: Pick<PendingCall, 'args' | 'executes' | 'tags'>,
): PreparedCall | undefined {
  if (executes === null) return undefined
  const own = structuredClone(executes)
  return { ok: true, tool, call, args: own, shown: executes === args ? own : args, tags }
}

/** Returns the arguments that a decided call executes. Returns undefined if JSON can't represent them. */
export function executedArgs({ decision, edited, executes, args }: DecidedCall): KeptArgs | undefined {
  if (decision.type === 'edit') return edited ?? undefined
  return executes === null ? undefined : (executes ?? args)
}

/**
 * Returns the edited arguments that hooks would change, with their new values, because the approver hasn't seen these. A removed argument
 * is undefined. The arguments that were shown had already passed the hooks. Transformations of the schema, and members that hooks add,
 * don't count as changes. Returns undefined if nothing would change.
 */
export async function changedEdit({ tool, call, args }: PreparedCall, options: CallOptions): Promise<KeptArgs | undefined> {
  if (!mayChangeArgs(tool)) return undefined
  const edited = toJson(await withoutHooks(tool, call, options)).value
  const executed = toJson(args).value
  const changed = Object.keys(edited).filter((name) => canonicalJson(edited[name]) !== canonicalJson(executed[name]))
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, executed[name]]))
}

/** True for a tool with a hook that runs before its execution. */
function mayChangeArgs({ hooks: { beforeValidate, afterValidate, beforeExecute } = {} }: Tool): boolean {
  return (beforeValidate ?? afterValidate ?? beforeExecute) !== undefined
}

/** Prepares the arguments without the tool's hooks. If they are invalid without the hooks, only coerces them. */
async function withoutHooks(tool: Tool, call: ToolCall, options: CallOptions): Promise<object> {
  const prepared = await prepareCall({ ...tool, hooks: undefined, needsApproval: undefined }, call, options)
  return prepared.ok ? prepared.args : (coerceValue(tool.args, call.args, { strict: tool.strict }).value as object)
}

/**
 * Returns the properties of the tool that a decision depends on. Excludes descriptions and code. Also excludes the schema, because
 * `areStillValid` validates the arguments against it instead.
 */
function fingerprintOf(tool: Tool): object {
  return { name: tool.name, effect: tool.effect, isClient: isClientTool(tool) }
}

/**
 * Returns true if the current tool accepts the arguments that were shown without changing them. A default that validation adds, or an
 * argument that it drops, wasn't shown to the approver. Returns true for a tool with hooks, because they may have changed the arguments.
 */
export async function areStillValid({ tool, call, shown }: PreparedCall): Promise<boolean> {
  if (mayChangeArgs(tool)) return true
  // The schema of another library may transform the arguments differently each time, so only its JSON Schema is used.
  const bare: object = { ...(tool as object), hooks: undefined, needsApproval: undefined, context: undefined, parse: undefined }
  const again = await prepareCall(bare as Tool, { ...call, args: shown as ToolCall['args'] })
  return again.ok && canonicalJson(toJson(again.shown).value) === canonicalJson(toJson(shown).value)
}
