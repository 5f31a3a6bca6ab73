/** Validates a call's edited arguments before the decision becomes final. */
import { createRegistry, type Registry } from '@x/registry'
import { checkArgs, isToolError, nearestNames } from '@x/tool-core'
import type { Domain } from '../domains/domain.ts'

export interface EditedCall {
  readonly name: string
  /** All arguments, including the unchanged ones. */
  readonly args: Readonly<Record<string, unknown>>
}

/** Returns an error message, or undefined if the call is valid. Executes nothing and opens no database. */
export async function findFaultOfEdit(registry: Registry, { name, args }: EditedCall): Promise<string | undefined> {
  const tool = registry.has(name) ? (await registry.resolve(name)).get(name) : undefined
  if (tool === undefined) return `There is no tool "${name}", so its arguments can't be validated.`
  const known = tool.arguments.map((argument) => argument.name)
  // A call ignores unknown arguments, so an edit with a misspelled name would change nothing and give no error.
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

/** Returns the tools of the domains without a database, for validation only. */
export function withoutDatabase(domains: readonly Domain[]): Registry {
  const connect = () => Promise.reject(new Error('The tools are only used to validate arguments, so there is no database.'))
  return createRegistry(
    domains.flatMap((domain) => domain.createTools({ connect })),
    { name: 'demo' },
  )
}
