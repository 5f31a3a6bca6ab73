/** The registry's search as a ranking of foreign tools: names with dots, schemas with Python types. */
import { cardOf, createToolIndex } from '@x/registry'
import type { Ranking } from './retrieval-score.ts'
import type { RetrievalTool } from './retrieval-set.ts'

export function createRegistryRanking(tools: readonly RetrievalTool[]): Ranking {
  const index = createToolIndex(
    tools.map(({ parameters = {}, field, ...tool }) => cardOf({ ...tool, args: parameters, category: field })),
  )
  return (question, limit) => index.search(question, { limit }).map(({ name }) => name)
}
