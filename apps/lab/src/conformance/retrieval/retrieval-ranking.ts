/**
 * Ranks other projects' tools with the registry's search. The names of such tools may contain dots, and their schemas may use Python types.
 */
import { cardOf } from '@x/registry'
import { createToolIndex } from '@x/registry/search'
import type { Ranking } from './retrieval-score.ts'
import type { RetrievalTool } from './retrieval-set.ts'

export function createRegistryRanking(tools: readonly RetrievalTool[]): Ranking {
  const index = createToolIndex(
    tools.map(({ parameters = {}, field, ...tool }) => cardOf({ ...tool, args: parameters, category: field })),
  )
  return (question, limit) => index.search(question, { limit }).map(({ name }) => name)
}
