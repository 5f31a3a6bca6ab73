/** Misuses of @x/react-agent. Each one must be a type error. */
import { defineSignature, type LM } from '@x/adapters'
import { clientTool, createReactAgent, predict } from '@x/react-agent'
import { NotDecided } from '@x/react-agent/steps'
import * as Type from 'typebox'

declare const lm: LM
const signature = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})
const agent = await createReactAgent({ lm, tools: [], signature })
// @ts-expect-error the input field is `question`
const run = agent.run({ q: 'Oslo?' })
// @ts-expect-error an answer is text
export const answer: number = (await run).outputs.answer
// @ts-expect-error a tool is an object, not a name
createReactAgent({ lm, tools: ['get_weather'], signature })
// @ts-expect-error a question is text
predict({ lm, signature }).run({ question: 1 })
// @ts-expect-error arguments need a schema
clientTool({ name: 'ask', description: 'Asks.', args: 'question' })
// @ts-expect-error an error isn't text
export const text: string = new NotDecided('key')
