/** Creates lazy tools from tool descriptions. The tools have no implementation. */
import { type LazyTool, lazy, type ToolCard } from '@x/registry'
import { defineTool, type Tool, ToolError } from '@x/tool-core'
import { toArgsSchema } from './document-schema.ts'
import { toLegalNames } from './legal-names.ts'
import { isRecord } from './read-documents.ts'
import type { ToolDocument } from './tool-document.ts'

export interface DescribedTools {
  readonly entries: readonly LazyTool[]
  /** Number of tools that were renamed because their names were invalid or taken. */
  readonly renamed: number
  /** Number of tools loaded so far. */
  loaded(): number
  /** Creates all tools, without counting them as loaded. */
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

/** Creates a tool that fails when it is called, because a description has no implementation. */
function toTool(name: string, { description, parameters, category }: ToolDocument): Tool {
  return defineTool({
    name,
    description,
    category,
    args: toArgsSchema(parameters),
    execute: () => {
      throw new ToolError('execution_failed', `"${name}" is only a description without an implementation. Nothing was done.`)
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
