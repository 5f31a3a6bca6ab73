/** A prepared call as plain data: what is shown, digested and kept while somebody decides, and the way back to what is executed. */
import {
  boundOutput,
  type CallOptions,
  coerceValue,
  MAX_ARGS_LENGTH,
  type OutputTagName,
  type PreparedCall,
  prepareCall,
  type Tool,
  type ToolCall,
  toSpec,
} from '@x/tool-core'
import { canonicalJson } from '../json.ts'
import { isClientTool } from './client-tool.ts'
import type { KeptArgs, PendingCall } from './decision.ts'
import { digestOf } from './digest.ts'

/** What a decision is about. */
export type Shown = Pick<PendingCall, 'args' | 'executes' | 'digest'>

/** All of it is a copy: whoever is shown it cannot change what is executed. */
export async function toShown({ tool, args, shown }: PreparedCall): Promise<Shown> {
  const isSame = shown === args
  const executed = toJson(args)
  const copy = isSame ? executed.value : toJson(shown).value
  const parts = { tool: fingerprintOf(tool), args: copy, ...(isSame ? {} : { executes: executed.value }) }
  // Another process can't check whether it is the same.
  const digest = await digestOf(executed.isKnown ? parts : { ...parts, process: crypto.randomUUID() })
  if (isSame && executed.isWhole) return { args: copy, digest }
  return { args: copy, digest, executes: executed.isWhole ? executed.value : null }
}

/** Null where JSON cannot hold them. */
export function toKept(args: object): KeptArgs | null {
  const { value, isWhole } = toJson(args)
  return isWhole ? value : null
}

interface Json {
  readonly value: KeptArgs
  /** JSON holds all of it as it is. */
  readonly isWhole: boolean
  /** JSON tells two that differ apart. */
  readonly isKnown: boolean
}

function toJson(args: object): Json {
  const { value, tags } = boundOutput(args, MAX_ARGS_LENGTH)
  // The list of tags ends at 100.
  const isKnown = tags.length < 100 && !tags.some(({ tag }) => LOSSY.has(tag))
  // By way of JSON, as another process reads it; a proxy can't be cloned.
  return { value: JSON.parse(JSON.stringify(value)) as KeptArgs, isWhole: value === args, isKnown }
}

const LOSSY: ReadonlySet<OutputTagName> = new Set(['described', 'circular', 'too_deep', 'truncated'])

/** Undefined where the call has to be prepared again: JSON could not hold it, or an earlier version kept its digest alone. */
export function fromShown(
  tool: Tool,
  call: ToolCall,
  { args, executes = args }: Pick<Partial<PendingCall>, 'args' | 'executes'>,
): PreparedCall | undefined {
  if (args === undefined || executes == null) return undefined
  const own = structuredClone(executes)
  return { ok: true, tool, call, args: own, shown: executes === args ? own : args, tags: [] }
}

/**
 * What is wrong with an edit that hooks changed: what would be executed wasn't shown. An edit has the form of what was shown, which had
 * been through the hooks already. What the schema makes of it is no change, and what hooks add to it is theirs.
 */
export async function editFault({ tool, call, args }: PreparedCall, options: CallOptions): Promise<string | undefined> {
  const { beforeValidate, afterValidate, beforeExecute } = tool.hooks ?? {}
  if ((beforeValidate ?? afterValidate ?? beforeExecute) === undefined) return undefined
  const edited = toJson(await withoutHooks(tool, call, options)).value
  const executed = toJson(args).value
  const changed = Object.keys(edited).filter((name) => canonicalJson(edited[name]) !== canonicalJson(executed[name]))
  if (changed.length === 0) return undefined
  const words = JSON.stringify(Object.fromEntries(changed.map((name) => [name, executed[name] ?? null])))
  return `A hook of "${tool.name}" makes other arguments of it: ${words}. Give what is to be executed, or leave out what the hook sets.`
}

/** What the schema makes of the arguments; coerced alone where it takes them only after a hook. */
async function withoutHooks(tool: Tool, call: ToolCall, options: CallOptions): Promise<object> {
  const prepared = await prepareCall({ ...tool, hooks: undefined, needsApproval: undefined }, call, options)
  return prepared.ok ? prepared.args : (coerceValue(tool.args, call.args, { strict: tool.strict }).value as object)
}

/** What a tool is for a model and for whoever approves its calls; its code cannot be told. */
function fingerprintOf(tool: Tool): object {
  return { ...toSpec(tool).function, effect: tool.effect, isClient: isClientTool(tool) }
}
