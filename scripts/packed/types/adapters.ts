/** Misuses of @x/adapters. Each one must be a type error. */
import { defineSignature, nativeAdapter, Tools } from '@x/adapters'
import { argumentStream } from '@x/adapters/arguments'
import { rescueCalls } from '@x/adapters/dialects'
import { redactSecrets } from '@x/adapters/redact'
import { openaiChat } from '@x/adapters/wire'
import * as Type from 'typebox'

const plan = defineSignature({
  instructions: 'Plan.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { answer: Type.String() },
})
// @ts-expect-error a question is text
nativeAdapter.format(plan, { question: 7, tools: [] })
// @ts-expect-error a spec isn't a tool
nativeAdapter.format(plan, { question: 'Warm?', tools: [{ name: 'get_weather' }] })
const parsed = await nativeAdapter.parse(plan, { text: '', toolCalls: [] })
// @ts-expect-error no such output
parsed.outputs.city
// @ts-expect-error fields have names
defineSignature({ instructions: 'Plan.', inputs: 'question', outputs: {} })
// @ts-expect-error not in the schema
argumentStream({ schema: Type.Object({ city: Type.String() }) }).value.town
// @ts-expect-error a request must have messages
openaiChat.encode({}, 'gpt-5')
// @ts-expect-error a response must have calls
rescueCalls({ text: '' }, { tools: [] })
// @ts-expect-error secrets are found in strings
redactSecrets(1)
