/** Parses a request, decides about the next calls, and writes the response. Follows `toolChoice`, and handles tools that end a run. */
import type { LMRequest, LMResponse, RawToolCall } from '@x/adapters'
import { type Conversation, readConversation } from './conversation.ts'
import { type Decision, decide } from './decide.ts'
import { fillArguments } from './fill/fill.ts'
import { fillOutputs } from './outputs.ts'
import type { PlannedCall } from './plan.ts'
import { NO_ANSWER, thought } from './sentences.ts'
import { type Catalog, type Offer, readCatalog } from './tools/catalog.ts'
import { chooseAnyOffer } from './tools/choose.ts'
import { tokenize } from './words/token.ts'

/** Returns the response to a request. The same request always gets the same response. */
export function respond(request: LMRequest, isCautious = false): LMResponse {
  const conversation = readConversation(request.messages)
  const everything = readCatalog(Array.isArray(request.tools) ? request.tools : [])
  const { toolChoice } = request
  const forced =
    typeof toolChoice === 'object' && toolChoice !== null
      ? everything.offers.find(({ name }) => name === toolChoice.name)
      : undefined
  const catalog = readCatalog(request.tools?.filter((tool) => !RESERVED.has(tool?.function?.name)))
  const acts = conversation.past.filter(({ name }) => !RESERVED.has(name))
  const decision = decide({ ...conversation, past: acts }, catalog, isCautious)
  const isHelpless = everything.offers.length === 0 && decision.findings.length === 0
  const answer = isHelpless ? NO_ANSWER : joined(decision.sentences) || NO_ANSWER
  const write = (calls: readonly PlannedCall[], text: string) => toResponse(text, calls, conversation.turn)
  const force = (offer: Offer) => {
    const planned = decision.calls.find((call) => call.offer === offer)
    return write([planned ?? forcedCall(offer, conversation.task, answer, decision)], answer)
  }
  if (toolChoice === 'none') return write([], answer)
  if (forced !== undefined) return force(forced)
  const calls = request.parallelToolCalls === false ? decision.calls.slice(0, 1) : decision.calls
  if (calls.length > 0) return write(calls, thought(calls))
  const last = everything.offers.find(({ name }) => RESERVED.has(name))
  if (last !== undefined) {
    const response = force(last)
    return hasFailed(response.toolCalls[0], conversation) ? write([], answer) : response
  }
  const best = toolChoice === 'required' ? anyOffer(conversation.task, everything) : undefined
  return best === undefined ? write([], answer) : force(best)
}

/** Tools that end a run. */
const RESERVED: ReadonlySet<unknown> = new Set(['finish', 'submit'])

/** Joins sentences with spaces. A sentence before or after a list starts on its own line. */
function joined(sentences: readonly string[]): string {
  const isList = (text: string | undefined) => text?.includes('\n- ') === true
  const said = sentences.filter((text) => text !== '')
  return said.map((text, index) => `${index === 0 ? '' : isList(text) || isList(said[index - 1]) ? '\n' : ' '}${text}`).join('')
}

/** Returns true if the same call failed before. */
function hasFailed(call: RawToolCall | undefined, { past }: Conversation): boolean {
  return past.some(({ name, isError, arguments: text }) => isError && name === call?.name && text === call.arguments)
}

function anyOffer(task: string, catalog: Catalog): Offer | undefined {
  return chooseAnyOffer({ source: task, tokens: tokenize(task), joint: 'start' }, catalog)
}

/**
 * Plans a call that the request forces. If the call ends the run or there are results, its arguments come from the answer. Otherwise,
 * they come from the task.
 */
function forcedCall(offer: Offer, task: string, answer: string, { findings }: Decision): PlannedCall {
  const clause = { source: task, tokens: tokenize(task), joint: 'start' as const }
  const takesAnswer = RESERVED.has(offer.name) || findings.length > 0
  const filling = takesAnswer ? undefined : fillArguments(offer, clause, findings)
  const args =
    filling !== undefined && filling.missing.length === 0 ? filling.args : fillOutputs(offer, answer, findings, filling?.args)
  return { offer, args, reason: task }
}

function toResponse(text: string, calls: readonly PlannedCall[], turn: number): LMResponse {
  const toolCalls = calls.map(({ offer, args }, index): RawToolCall => {
    return { id: `call_${turn}_${index + 1}`, name: offer.name, arguments: JSON.stringify(Object.fromEntries(args)) }
  })
  return { text, toolCalls, finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop' }
}
