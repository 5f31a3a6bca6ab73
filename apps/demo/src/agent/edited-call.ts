/** Arguments that somebody puts in the place of those of a call: what is wrong with them, before they are decided for good. */
import { createRegistry } from '@x/registry'
import { checkArgs, isToolError, nearestNames, type Tool } from '@x/tool-core'
import type { Domain } from '../domains/domain.ts'

export interface EditedCall {
  readonly name: string
  /** All of them, those too that stay. */
  readonly args: Readonly<Record<string, unknown>>
}

/** Says in words what is wrong, undefined when the call can be made; nothing is executed, and no database is opened. */
export async function findFaultOfEdit(domains: readonly Domain[], { name, args }: EditedCall): Promise<string | undefined> {
  const tool = await findTool(domains, name)
  if (tool === undefined) return `There is no tool "${name}" here, so its arguments cannot be checked.`
  const known = tool.arguments.map((argument) => argument.name)
  // A call leaves out what its tool does not know: a misspelt amount would be no other amount.
  const unknown = Object.keys(args).find((key) => !known.includes(key))
  if (unknown !== undefined) return unknownArgument(name, unknown, known)
  try {
    await checkArgs(tool, args)
    return undefined
  } catch (error) {
    if (isToolError(error) && error.code === 'invalid_arguments') return error.message
    throw error
  }
}

function unknownArgument(tool: string, wrong: string, known: readonly string[]): string {
  const [nearest] = nearestNames(wrong, known, 1)
  const way = nearest === undefined ? `It has: ${known.join(', ')}.` : `Did you mean "${nearest}"?`
  return `${tool} has no argument ${JSON.stringify(wrong)}. ${way}`
}

async function findTool(domains: readonly Domain[], name: string): Promise<Tool | undefined> {
  const connect = () => Promise.reject(new Error('Only the arguments of the tools are asked for.'))
  const entries = domains.flatMap((domain) => domain.createTools({ connect }))
  return (await createRegistry(entries, { name: 'demo' }).resolve()).get(name)
}
