/** Creates the model named on the command line. */
import type { LM } from '@x/adapters'
import { UsageError } from '../failure.ts'
import { ollamaURL, openaiURL } from './local-servers.ts'
import type { LMChoice, Provider } from './providers.ts'

/** Creates the model. Imports only the modules that it needs. Throws `UsageError` if an environment variable is missing or invalid. */
export async function createDemoLM(choice: LMChoice, environment: NodeJS.ProcessEnv = process.env): Promise<LM> {
  if (choice.kind === 'rules') {
    const { plannerLM } = await import('../planner/planner-lm.ts')
    return plannerLM({ isCautious: true })
  }
  if (choice.kind === 'searcher') {
    const { searcherLM } = await import('../described/searcher-lm.ts')
    return searcherLM()
  }
  const presets = await import('@x/lm/presets')
  try {
    return createProviderLM(presets, choice.provider, choice.model, environment)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'missing_setting') throw new UsageError(settingWords(error))
    throw error
  }
}

export function describeLM(choice: LMChoice): string {
  if (choice.kind === 'provider') return `${choice.model} (${choice.provider})`
  return choice.kind === 'rules' ? 'rules, not a model' : 'searcher: rules, not a model'
}

type Presets = typeof import('@x/lm/presets')

function createProviderLM(presets: Presets, provider: Provider, model: string, environment: NodeJS.ProcessEnv): LM {
  switch (provider) {
    case 'openai':
      return createOpenAILM(presets, model, environment)
    case 'anthropic':
    case 'google':
    case 'mistral':
    case 'cohere':
    case 'bedrock':
      return presets[provider]({ model })
    case 'ollama':
      return presets.ollama({ model, baseURL: ollamaURL(environment) })
    default:
      return presets.openaiCompatible({ host: provider, model })
  }
}

/** Uses the OpenAI-compatible server at `OPENAI_BASE_URL`, if set, with or without a key. */
function createOpenAILM({ openai, openaiCompatible }: Presets, model: string, environment: NodeJS.ProcessEnv): LM {
  const baseURL = openaiURL(environment)
  if (baseURL === undefined) return openai({ model })
  return openaiCompatible({ baseURL, model, apiKey: environment.OPENAI_API_KEY || undefined })
}

/** Removes the advice to pass a key as an option, because the demo reads keys only from the environment. */
function settingWords({ message }: Error): string {
  return message.replace(/, or pass `\w+`\.$/, '.')
}
