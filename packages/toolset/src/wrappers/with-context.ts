/** Wrapper: run-scoped values that are bound to a source once, so that no caller has to give them. */
import {
  type ActionHooks,
  type CallOptions,
  deriveTool,
  HOOK_STAGES,
  type Issue,
  type Tool,
  type ToolChanges,
  type ToolContext,
  ToolError,
  type ToolSource,
  validate,
  withValues,
} from '@x/tool-core'
import { propertyNamesOf, splitSchema } from './bound-schema.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/**
 * The same tools, which no longer ask for these values: what they and their hooks see in `context.values` is what the caller
 * gave, and over it those of these that they declare. Plain objects and lists among them are copied and frozen; what is an
 * instance of a class, such as a connection, is shared.
 *
 * They are checked when a tool is first executed; it then fails with `invalid_context`, which names the key and never the
 * value. `tools()` throws `invalid_definition` for a context schema that is more than a list of properties.
 */
export function withContext<Source extends ToolSource>(
  source: Source,
  values: object,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  if (typeof values !== 'object' || values === null) {
    throw new ToolError('invalid_definition', 'withContext: the values must be an object: withContext(source, { user }).')
  }
  const all = snapshot(values)
  const derive = oncePerTool((tool) => bindTool(tool, declaredOf(tool, all)))
  return deriveSource('withContext', source, (tools) => tools.map(derive)) as never
}

/** Copied and frozen, so that nothing that was checked changes afterwards. */
function snapshot<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(snapshot)) as Value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, snapshot(member)]))) as Value
}

/** Values that a tool does not declare are none of its business. */
function declaredOf({ context }: Tool, values: object): object {
  const names = new Set(context === undefined ? [] : propertyNamesOf(context))
  return Object.freeze(Object.fromEntries(Object.entries(values).filter(([key]) => names.has(key))))
}

function bindTool(tool: Tool, bound: object): Tool {
  const split = tool.context && splitSchema(tool.context, new Set(Object.keys(bound)), tool.name)
  if (Object.keys(bound).length === 0) return tool
  let isChecked = split === undefined
  const check = async () => {
    const issues = split === undefined ? [] : await validate(split.bound, bound)
    if (issues.length > 0) throw wrongValue(tool, issues)
    isChecked = true
  }
  const changes: ToolChanges = {
    context: split?.rest,
    hooks: tool.hooks && bindHooks(tool.hooks, bound),
    execute: (args, options?: CallOptions) => {
      const context = bindContext(options, bound)
      return isChecked ? tool.execute(args, context) : check().then(() => tool.execute(args, context))
    },
  }
  return deriveTool(tool, changes)
}

function bindContext(context: CallOptions | undefined, bound: object): ToolContext {
  return withValues(context, { ...context?.values, ...bound })
}

type Stage = keyof ActionHooks
type Hook = (value: unknown, context: ToolContext) => unknown

function bindHooks(hooks: ActionHooks, bound: object): ActionHooks {
  const present = HOOK_STAGES.filter((stage) => hooks[stage] !== undefined)
  const bind = (stage: Stage): Hook => {
    return (value, context) => (hooks[stage] as Hook).call(hooks, value, bindContext(context, bound))
  }
  return Object.fromEntries(present.map((stage) => [stage, bind(stage)]))
}

/** An issue as `validate` gives it may hold the value. */
function wrongValue({ name }: Tool, found: readonly Issue[]): ToolError {
  const issues = found.map(({ path, keyword, message }) => ({ path, keyword, message }))
  const words = issues.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
  return new ToolError(
    'invalid_context',
    `"${name}" cannot run here: a value that was bound with withContext is wrong: ${words}.`,
    {
      issues,
    },
  )
}
