/** A model that says nothing of its usage, with an estimate in its place. */
import type { LM, Usage } from '@x/adapters'

/** A rule of thumb for English text; what a provider counts is something else. */
const CHARACTERS_PER_TOKEN = 4

/** The same model; a response without usage gets one of a token for every four characters of what was sent and written. */
export function withEstimatedUsage(lm: LM): LM {
  return {
    async generate(request, options) {
      const response = await lm.generate(request, options)
      if (response.usage !== undefined) return response
      const { text, toolCalls } = response
      return { ...response, usage: estimate({ messages: request.messages, tools: request.tools }, { text, toolCalls }) }
    },
  }
}

function estimate(sent: object, written: object): Usage {
  return { inputTokens: tokensOf(sent), outputTokens: tokensOf(written) }
}

function tokensOf(value: object): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}
