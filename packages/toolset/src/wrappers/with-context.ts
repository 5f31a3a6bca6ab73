/** A wrapper that binds run-scoped values to a source, so that callers don't have to pass them. */
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
import { shown } from '../option.ts'
import { propertyNamesOf, splitSchema } from './bound-schema.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/**
 * Binds `values` to the tools, so that callers no longer pass them. In `context.values`, each tool and its hooks receive the caller's
 * values, and the bound values that the tool declares, which take precedence. Plain objects and lists are copied and frozen. Instances of
 * classes, such as a connection, are shared.
 *
 * The values are validated when a tool is first executed. If they are invalid, the call fails with `invalid_context`. The error names the
 * key, but never the value. `tools()` throws `invalid_definition` for a context schema that isn't a plain list of properties.
 */
export function withContext<Source extends ToolSource>(
  source: Source,
  values: object,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  if (typeof values !== 'object' || values === null) {
    throw new ToolError(
      'invalid_definition',
      `withContext: the values must be an object, got ${shown(values)}. Write withContext(source, { user }).`,
    )
  }
  const all = snapshot(values)
  const derive = oncePerTool((tool) => bindTool(tool, declaredOf(tool, all)))
  return deriveSource('withContext', source, { tools: (tools) => tools.map(derive) }) as never
}

/** Returns a frozen copy of a value, which can't change after validation. */
function snapshot<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(snapshot)) as Value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, snapshot(member)]))) as Value
}

/** Returns the values that the tool declares. */
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

/** Creates the error for invalid values. Leaves out the values themselves, which validation issues may contain. */
function wrongValue({ name }: Tool, found: readonly Issue[]): ToolError {
  const issues = found.map(({ path, keyword, message }) => ({ path, keyword, message }))
  const words = issues.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
  return new ToolError('invalid_context', `"${name}" cannot run: a value bound with withContext is invalid: ${words}.`, {
    issues,
  })
}
