/** Estimates the usage of a model that doesn't report it. */
import type { LM, Usage } from '@x/adapters'

/** A rule of thumb for English text. Providers count tokens differently. */
const CHARACTERS_PER_TOKEN = 4

/** Wraps a model. If a response has no usage, adds an estimate: one token per four characters of input and output. */
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
