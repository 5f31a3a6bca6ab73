/** The search of the registry as a ranking of tools that are no tools of ours: names with dots, schemas with types of Python. */
import { cardOf, createToolIndex } from '@x/registry'
import type { Ranking } from './retrieval-score.ts'
import type { RetrievalTool } from './retrieval-set.ts'

export function createRegistryRanking(tools: readonly RetrievalTool[]): Ranking {
  const index = createToolIndex(
    tools.map(({ parameters = {}, field, ...tool }) => cardOf({ ...tool, args: parameters, category: field })),
  )
  return (question, limit) => index.search(question, { limit }).map(({ name }) => name)
}
