/** Lazy tools for documents: found by their cards, made when they are resolved, and without an implementation. */
import { type LazyTool, lazy, type ToolCard } from '@x/registry'
import { defineTool, type Tool, ToolError } from '@x/tool-core'
import { toArgsSchema } from './document-schema.ts'
import { toLegalNames } from './legal-names.ts'
import { isRecord, type ToolDocument } from './read-documents.ts'

export interface DescribedTools {
  readonly entries: readonly LazyTool[]
  /** How many names were not legal, or taken. */
  readonly renamed: number
  /** How many loaders have been run. */
  loaded(): number
  /** All tools, made beside the lazy ones: no loader is run for it. */
  toTools(): readonly Tool[]
}

export function describeTools(documents: readonly ToolDocument[]): DescribedTools {
  let loaded = 0
  const names = toLegalNames(documents.map(({ name }) => name))
  const nameOf = (index: number) => names[index] as string
  return {
    entries: documents.map((document, index) => {
      const load = async () => {
        loaded++
        return toTool(nameOf(index), document)
      }
      return lazy(nameOf(index), load, toCard(document))
    }),
    renamed: documents.filter(({ name }, index) => name !== nameOf(index)).length,
    loaded: () => loaded,
    toTools: () => documents.map((document, index) => toTool(nameOf(index), document)),
  }
}

/** There is nothing behind a description, so that a call is a failure and no output that somebody made up. */
function toTool(name: string, { description, parameters, category }: ToolDocument): Tool {
  return defineTool({
    name,
    description,
    category,
    args: toArgsSchema(parameters),
    execute: () => {
      throw new ToolError('execution_failed', `"${name}" is only described here and has no implementation: nothing was done.`)
    },
  } as never) as never
}

function toCard({ description, category, parameters }: ToolDocument): Omit<ToolCard, 'name'> {
  const properties = isRecord(parameters.properties) ? Object.entries(parameters.properties) : []
  return {
    description,
    category,
    arguments: properties.map(([name, node]) => {
      const words = isRecord(node) ? node.description : undefined
      return { name, description: typeof words === 'string' ? words : undefined }
    }),
  }
}
