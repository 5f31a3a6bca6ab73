/** The values of `--lm`: a provider's model as `<provider>:<model>`, or one of two sets of rules. */
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

/** The model. `rules` and `searcher` are programs that stand in for one. */
export type LMChoice =
  | { readonly kind: 'rules' }
  | { readonly kind: 'searcher' }
  | { readonly kind: 'provider'; readonly provider: Provider; readonly model: string }
