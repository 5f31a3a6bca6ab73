/** Creates the model named on the command line. */
import type { LM } from '@x/adapters'
import { UsageError } from '../failure.ts'
import type { LMChoice, Provider } from './providers.ts'

/** Imports only the modules that the choice needs. Throws `UsageError` if an environment variable is missing or invalid. */
export async function createDemoLM(choice: LMChoice): Promise<LM> {
  if (choice.kind === 'planner') {
    const { plannerLM } = await import('../planner/planner-lm.ts')
    return plannerLM()
  }
  if (choice.kind === 'searcher') {
    const { searcherLM } = await import('../described/searcher-lm.ts')
    return searcherLM()
  }
  const presets = await import('@x/lm/presets')
  try {
    return createProviderLM(presets, choice.provider, choice.model)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'missing_setting') throw new UsageError(settingWords(error))
    throw error
  }
}

export function describeLM(choice: LMChoice): string {
  if (choice.kind === 'provider') return `${choice.model} (${choice.provider})`
  return `${choice.kind} (a deterministic stand-in, not a language model)`
}

type Presets = typeof import('@x/lm/presets')

function createProviderLM(presets: Presets, provider: Provider, model: string): LM {
  switch (provider) {
    case 'openai':
      return createOpenAILM(presets, model)
    case 'anthropic':
    case 'google':
    case 'mistral':
    case 'cohere':
    case 'bedrock':
    case 'ollama':
      return presets[provider]({ model })
    default:
      return presets.openaiCompatible({ host: provider, model })
  }
}

/** Uses the OpenAI-compatible server at `OPENAI_BASE_URL`, if set, with or without a key. */
function createOpenAILM({ openai, openaiCompatible }: Presets, model: string): LM {
  const baseURL = process.env.OPENAI_BASE_URL || undefined
  if (baseURL === undefined) return openai({ model })
  if (!/^https?:/i.test(baseURL) || !URL.canParse(baseURL))
    throw new UsageError(`OPENAI_BASE_URL must be an HTTP URL, e.g. http://localhost:8080/v1. It is "${baseURL}".`)
  return openaiCompatible({ baseURL, model, apiKey: process.env.OPENAI_API_KEY || undefined })
}

/** Removes the hint to pass a key as an option, because the demo reads keys only from the environment. */
function settingWords({ message }: Error): string {
  return message.replace(/, or pass `\w+`\.$/, '.')
}
