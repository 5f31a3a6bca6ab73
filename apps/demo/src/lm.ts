/** Makes the model that the command line names. */
import type { LM } from '@x/adapters'
import { type LMChoice, UsageError } from './arguments.ts'

/** Imports only what the choice needs. Throws `UsageError` when `OPENAI_BASE_URL` is no address. */
export async function createDemoLM(choice: LMChoice, environment: NodeJS.ProcessEnv = process.env): Promise<LM> {
  if (choice.kind === 'planner') {
    const { plannerLM } = await import('@x/lm/planner')
    return plannerLM()
  }
  if (choice.kind === 'searcher') {
    const { searcherLM } = await import('./described/searcher-lm.ts')
    return searcherLM()
  }
  const [{ createLM }, { openaiChat }] = await Promise.all([import('@x/lm'), import('@x/adapters/wire')])
  const baseURL = environment.OPENAI_BASE_URL || 'https://api.openai.com/v1'
  if (!/^https?:/i.test(baseURL) || !URL.canParse(baseURL))
    throw new UsageError(`OPENAI_BASE_URL is no address: "${baseURL}". Write e.g. http://localhost:8080/v1`)
  return createLM({ wire: openaiChat, baseURL, model: choice.model, apiKey: environment.OPENAI_API_KEY || undefined })
}

export function describeLM(choice: LMChoice): string {
  return choice.kind === 'openai' ? choice.model : `${choice.kind} (a deterministic stand-in, not a language model)`
}
