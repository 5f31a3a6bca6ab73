/** Typed predictions without tools, and their evaluation. */
import { defineSignature } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { chainOfThought, evaluate, predict } from '@x/react-agent'
import { Type } from 'typebox'

const lm = scriptedLM([{ text: 'x' }])
const classify = defineSignature({
  instructions: 'Classify.',
  inputs: { text: Type.String(), hints: Type.Optional(Type.Array(Type.String())) },
  outputs: {
    label: Type.Enum(['good', 'bad']),
    score: Type.Number(),
    spans: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
  },
})
const ask = predict({ lm, signature: classify })
const think = chainOfThought({ lm, signature: classify })
export const label: 'good' | 'bad' = (await ask({ text: 'a' })).label
export const from: number | undefined = (await think({ text: 'b' })).spans[0]?.from
export const report = await evaluate(ask, [{ inputs: { text: 'a' }, expected: 'good' }], (expected, output) =>
  output.label === expected ? 1 : 0,
)
