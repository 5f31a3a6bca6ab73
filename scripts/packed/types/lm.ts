/** Misuses of @x/lm. Each one must be a type error. `@x/lm/ai-sdk` has its own file, because its types need a peer. */
import { openaiChat } from '@x/adapters/wire'
import { createLM } from '@x/lm'
import { bedrock } from '@x/lm/presets'
import { withRescue } from '@x/lm/rescue'
import { scriptedLM } from '@x/lm/testing'

const lm = scriptedLM([{ text: 'Hello.' }])
// @ts-expect-error a request must have messages
lm.generate({})
// @ts-expect-error text isn't a reply
scriptedLM(['Hello.'])
// @ts-expect-error a wire isn't a name
createLM({ wire: 'acme', baseURL: 'http://localhost', model: 'm' })
// @ts-expect-error a model has a name
createLM({ wire: openaiChat, baseURL: 'http://localhost' })
// @ts-expect-error a region is text
bedrock({ model: 'm', region: 1 })
// @ts-expect-error a name isn't a model
withRescue('gpt-5')
