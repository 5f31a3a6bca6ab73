/** Two actions in a row, as one action. */
import type { Action } from './action.ts'
import { ToolError } from './errors.ts'
import { runPipeline } from './pipeline.ts'
import { createTool } from './tool.ts'

/**
 * Runs `first`, then `second` with the first's output as its arguments: the compiler checks that they fit. Each step passes
 * through its own hooks and checks, also when `execute` of the sequence is called directly; an error names the step.
 */
export function sequence<const Name extends string, In extends object, Mid extends object, Out extends object>(
  name: Name,
  first: Action<string, In, Mid>,
  second: Action<string, NoInfer<Mid>, Out>,
): Action<Name, In, Out> {
  return createTool(name, 'action', {
    description: `${first.description} Then: ${second.description}`,
    args: first.args,
    output: second.output,
    timeoutMs: Infinity, // each step keeps its own deadline
    execute: async (args, context) => {
      const middle = await runStep(name, first, args, context)
      return runStep(name, second, middle as object, context)
    },
  }) as never
}

async function runStep(name: string, step: Action, args: object, context: Parameters<typeof runPipeline>[2]): Promise<unknown> {
  try {
    return (await runPipeline(step, args, context)).output
  } catch (cause) {
    const { code, message, issues } = cause as ToolError
    // What the first step returned is no mistake of the model.
    const ownFault = code === 'invalid_arguments' ? 'execution_failed' : code
    throw new ToolError(ownFault, `"${name}" stopped at step "${step.name}": ${message}`, { cause, issues })
  }
}
