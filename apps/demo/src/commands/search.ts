/** Answers one request with thousands of tools: the model searches for the few that it needs, and its requests contain no others. */
import { defineSignature, type LM, type LMRequest, type Message } from '@x/adapters'
import { AgentError, type AgentEvent, createReactAgent, type Run } from '@x/react-agent'
import { createRegistry, foundNames } from '@x/registry'
import { toSpec } from '@x/tool-core'
import * as Type from 'typebox'
import { describeTools } from '../described/described-tools.ts'
import type { ToolDocument } from '../described/tool-document.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { oneLine } from '../view/plain-text.ts'
import { type SearchReport, showSearch } from '../view/search.ts'
import type { Terminal } from '../view/terminal.ts'

export interface SearchCommandOptions {
  readonly request: string
  readonly documents: readonly ToolDocument[]
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Answers the request. Resolves to the measurements. `answered` is true if the model answered. */
export async function runSearch(options: SearchCommandOptions): Promise<SearchReport & { readonly answered: boolean }> {
  const { request, documents, lm, terminal, signal } = options
  const began = performance.now()
  const described = describeTools(documents)
  const registry = createRegistry(described.entries, { name: 'described' })
  const buildMs = performance.now() - began
  const noted = noteRequests(lm)
  await using agent = await createReactAgent({ name: 'search', lm: noted.lm, tools: [], search: registry, signature: TASK })
  terminal.line()
  terminal.line(oneLine(request, terminal.width))
  const view = createLiveView(terminal, request)
  const searches: number[] = []
  const onEvent = (event: AgentEvent) => {
    if (event.type === 'call_finished' && event.observation.name === SEARCH) searches.push(event.ms)
    if (!signal.aborted) view(event)
  }
  const outcome = await answerOf(agent.run({ request }, { signal }), onEvent)
  showAnswer(terminal, outcome)
  const last = noted.last()
  const report: SearchReport = {
    tools: documents.length,
    renamed: described.renamed,
    buildMs,
    searches: searches.length,
    searchMs: searches.reduce((sum, ms) => sum + ms, 0),
    revealed: [...new Set(last.messages.flatMap(foundIn))],
    loaded: described.loaded(),
    requestBytes: bytesOf(last),
    allBytes: bytesOf({ ...last, tools: described.toTools().map(toSpec) }),
  }
  showSearch(terminal, report)
  return { ...report, answered: outcome.answered }
}

const SEARCH = 'search_tools'

const TASK = defineSignature({
  instructions: `Find tools for the request with ${SEARCH}, use them as needed, then answer in plain language. If no tool can serve the request, say so.`,
  inputs: { request: Type.String() },
  outputs: { answer: Type.String() },
})

/** Wraps a model so that its last request is kept. The request is copied, because a conversation appends to its messages. */
function noteRequests(lm: LM): { readonly lm: LM; last(): LMRequest } {
  let last: LMRequest = { messages: [] }
  return {
    lm: {
      generate(request, options) {
        last = { ...request, messages: [...request.messages] }
        return lm.generate(request, options)
      },
    },
    last: () => last,
  }
}

/** Resolves to the answer, or to the error message if the run ends without an answer. Rejects if the model fails. */
async function answerOf(run: Run<{ outputs: { answer: string } }, AgentEvent>, onEvent: (event: AgentEvent) => void) {
  try {
    for await (const event of run.stream()) onEvent(event)
    return { answer: (await run).outputs.answer, answered: true }
  } catch (error) {
    if (!(error instanceof AgentError) || !WITHOUT_ANSWER.has(error.code)) throw error
    return { answer: error.message, answered: false }
  }
}

const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['max_steps', 'invalid_output'])

function foundIn(message: Message): readonly string[] {
  return message.role === 'tool' && message.name === SEARCH ? foundNames(message.content) : []
}

function bytesOf(request: LMRequest): number {
  return Buffer.byteLength(JSON.stringify(request))
}
