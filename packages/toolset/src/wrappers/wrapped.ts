/** Wrapper: a function around every execution of a source's tools. */
import { type CallOptions, deriveTool, type ToolContext, ToolError, type ToolSource, toContext } from '@x/tool-core'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceTool } from './source.ts'

/** A call that is about to be executed. */
export interface WrappedCall<Source extends ToolSource = ToolSource> {
  readonly tool: SourceTool<Source>
  /** As checked; those of a direct `execute` are whatever your code gave. */
  readonly args: Readonly<Record<string, unknown>>
  readonly context: ToolContext
}

/** Executes the tool, with these args in place of those given; they are not checked again. Returns what the tool returns. */
export type Next = (args?: object) => unknown

/**
 * The same tools, with `around` in place of each execution: it may log, change args, refuse by throwing, repeat or replace
 * what `next()` gives; it answers for an output of another type. What is thrown passes through as it is.
 *
 * It runs after the arguments were checked and before an action's output is, once for each attempt, and for a direct
 * `execute` as well. Of two wrappers the outer one comes first.
 */
export function wrapped<Source extends ToolSource>(
  source: Source,
  around: (call: WrappedCall<Source>, next: Next) => unknown,
): DerivedSource<ListingOf<Source, SourceTool<Source>>> {
  if (typeof around !== 'function') {
    throw new ToolError('invalid_definition', 'wrapped: give it a function: wrapped(source, ({ tool, args }, next) => next()).')
  }
  const derive = oncePerTool((tool) =>
    deriveTool(tool, {
      execute: (args, options?: CallOptions) => {
        const context = toContext(options)
        return around({ tool: tool as never, args: args as never, context }, (changed = args) => tool.execute(changed, context))
      },
    }),
  )
  return deriveSource('wrapped', source, (tools) => tools.map(derive)) as never
}
