/** Run-scoped values against what the tools declare, before anything is sent to a model. */
import { checkContext, type Tool } from '@x/tool-core'
import { AgentError } from '../errors.ts'

/** Rejects with `invalid_context`, naming every tool and every field; never a value. */
export async function assertValues(tools: readonly Tool[], values: object): Promise<void> {
  const problems: string[] = []
  for (const { name, context } of tools) {
    if (context === undefined) continue
    for (const { path, message } of await checkContext(context, values))
      problems.push(`tool "${name}": ${path} ${message}`.replace('  ', ' '))
  }
  if (problems.length === 0) return
  throw new AgentError(
    'invalid_context',
    `The run's context does not fit its tools. ${problems.join('; ')}. Pass it: run(inputs, { context: { … } }).`,
  )
}
