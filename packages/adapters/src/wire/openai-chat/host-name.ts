/** A known host with a Chat Completions API. Its wire format is in `openaiChatHosts`, its profile in `openaiChatProfiles`. */
export type OpenAIChatHostName =
  | 'groq'
  | 'xai'
  | 'deepseek'
  | 'together'
  | 'fireworks'
  | 'openrouter'
  | 'moonshot'
  | 'alibaba'
  | 'vllm'
  | 'llamaCpp'
  | 'lmStudio'
