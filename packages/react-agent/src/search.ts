/** The rest of a registry, by search: what a model found is offered to it from its next request on. */
import type { Message } from '@x/adapters'
import { foundNames, type Registry, searchTool } from '@x/registry'
import { isToolName, type Tool, type ToolMap } from '@x/tool-core'
import { RESERVED_NAMES } from './ending.ts'

export interface ToolSearch {
  /** By which the model searches. */
  readonly tool: Tool
  /**
   * The tools that the results among these messages gave and that are not known yet, in the order in which they were found. What
   * was revealed is in the messages and nowhere else, so a run that goes on after another has it too. A tool that cannot be loaded
   * any more is left out: a call of it is answered as one of an unknown tool.
   */
  revealedBy(messages: readonly Message[], known: ToolMap): Promise<readonly Tool[]>
}

/** Results that are read of an earlier run, which may come from a file; the latest. */
const MAX_RESULTS = 50

/** `taken`: the tools that the agent has without a search. */
export function openSearch(registry: Registry, agent: string, taken: ToolMap): ToolSearch {
  const isHidden = (name: string) => taken.has(name) || RESERVED_NAMES.includes(name) || name === tool.name
  const tool: Tool = searchTool(registry, { filter: (card) => !isHidden(card.name) }) as never
  return {
    tool,
    async revealedBy(messages, known) {
      const texts = messages.flatMap((message) =>
        message.role === 'tool' && message.name === tool.name ? [message.content] : [],
      )
      const names = [...new Set(texts.slice(-MAX_RESULTS).flatMap(foundNames))].filter(
        (name) => isToolName(name) && !known.has(name) && !isHidden(name),
      )
      const outcomes = await Promise.allSettled(names.map((name) => registry.resolveFor(agent, [name])))
      const tools = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value.values()] : []))
      // By the tools' own names: an alias may lead to one that is hidden, or there already.
      const revealed = new Map(tools.map((one) => [one.name, one]))
      return [...revealed.values()].filter(({ name }) => !known.has(name) && !isHidden(name))
    },
  }
}
