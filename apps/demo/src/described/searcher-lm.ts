/** Stands in for a model in `search`: searches with the request, and answers with the tools that were found. */
import type { LM, LMRequest, LMResponse } from '@x/adapters'
import { foundNames } from '@x/registry'

/** Creates the stand-in, which is deterministic and works offline. It doesn't interpret the request, and calls only the search tool. */
export function searcherLM(): LM {
  return {
    async generate(request, options) {
      options?.signal?.throwIfAborted()
      return respond(request)
    },
  }
}

function respond({ messages }: LMRequest): LMResponse {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { text: toAnswer(last.content, last.isError), toolCalls: [] }
  const query = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  return { text: '', toolCalls: [{ id: 'search', name: 'search_tools', arguments: JSON.stringify({ query }) }] }
}

function toAnswer(result: string, isError = false): string {
  if (isError) return `The search failed. ${result}`
  const names = foundNames(result)
  if (names.length === 0) return `No tool fits. ${WHO}`
  return `These tools fit: ${names.join(', ')}. ${WHO}`
}

const WHO = 'I am a stand-in that only searches; a model would continue from here.'
