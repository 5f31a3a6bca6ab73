/** A wrapper that runs a function around every execution of a source's tools. */
import { type CallOptions, deriveTool, type ToolContext, ToolError, type ToolSource, toContext } from '@x/tool-core'
import { shown } from '../option.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/** A call that is about to be executed. */
export interface WrappedCall<Source extends ToolSource = ToolSource> {
  readonly tool: SourceTool<Source>
  /** The validated args. If your code calls `execute` directly, these are the args that it passes. */
  readonly args: Readonly<Record<string, unknown>>
  readonly context: ToolContext
}

/** Executes the tool and returns its output. With `args`, executes it with those args, which aren't validated again. */
export type Next = (args?: object) => unknown

/**
 * Runs `around` instead of each execution. `around` may log, change the args, refuse the call by throwing, repeat the call, or replace the
 * result of `next()`. It is responsible for the type of the output. Errors pass through unchanged.
 *
 * `around` runs once per attempt, after the arguments are validated and before an action's output is validated. It also runs when your code
 * calls `execute` directly. If two wrappers are combined, the outer one runs first.
 */
export function wrapped<Source extends ToolSource>(
  source: Source,
  around: (call: WrappedCall<Source>, next: Next) => unknown,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  if (typeof around !== 'function') {
    throw new ToolError(
      'invalid_definition',
      `wrapped: around must be a function, got ${shown(around)}. Write wrapped(source, ({ tool, args }, next) => next()).`,
    )
  }
  const derive = oncePerTool((tool) =>
    deriveTool(tool, {
      execute: (args, options?: CallOptions) => {
        const context = toContext(options)
        return around({ tool: tool as never, args: args as never, context }, (changed = args) => tool.execute(changed, context))
      },
    }),
  )
  return deriveSource('wrapped', source, { tools: (tools) => tools.map(derive) }) as never
}
