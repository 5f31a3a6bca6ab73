/** Models of several providers, with wrappers. */
import { dialectFor } from '@x/adapters/dialects'
import { openaiChat } from '@x/adapters/wire'
import { createLM, withCache, withFallback, withRateLimit } from '@x/lm'
import { anthropic, google, ollama } from '@x/lm/presets'

const local = createLM({ wire: openaiChat, baseURL: 'http://localhost:8080/v1', model: 'qwen3' })
const lm = withFallback([
  withCache(anthropic({ model: 'a', apiKey: 'k' }), { key: (request) => JSON.stringify(request) }),
  google({ model: 'g', apiKey: 'k' }),
  ollama({ model: 'o' }),
  withRateLimit(local, { requestsPerMinute: 60 }),
])
export const dialect = dialectFor('qwen3')
export const { text } = await lm.generate({ messages: [{ role: 'user', content: 'Hi' }], settings: { temperature: 0 } })
