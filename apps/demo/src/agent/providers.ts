/** The models for `--lm`: `<provider>:<model>`, and two stand-ins. */
export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'cohere',
  'bedrock',
  'ollama',
  'groq',
  'xai',
  'deepseek',
  'together',
  'fireworks',
  'openrouter',
  'moonshot',
  'alibaba',
  'vllm',
  'llamaCpp',
  'lmStudio',
] as const

export type Provider = (typeof PROVIDERS)[number]

/** One of two stand-ins, or a model of a provider. */
export type LMChoice =
  | { readonly kind: 'planner' }
  | { readonly kind: 'searcher' }
  | { readonly kind: 'provider'; readonly provider: Provider; readonly model: string }
