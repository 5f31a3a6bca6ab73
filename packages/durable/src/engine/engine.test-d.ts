import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import * as Type from 'typebox'
import { expectTypeOf } from 'vitest'
import { createFileEngine } from '../file/file-engine.ts'
import type { DurableEngine, DurableRun, RunStatus } from './engine.ts'

declare const lm: LM
const signature = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})
const agent = await createReactAgent({ lm, tools: [], signature })

// An agent's `run` is a run function. Its input and output are those of the signature.
const whole = await createFileEngine({ folder: 'runs', fn: agent.run })
const input: Parameters<typeof whole.run>[1] = { question: 'Tea?' }
const answer: string = (await whole.run('1', input)).outputs.answer
// @ts-expect-error The answer is a string.
const count: number = (await whole.run('1', input)).outputs.answer
// @ts-expect-error The function has no such input.
await whole.start('1', { answer: 'Tea.' })

const fn = async (input: { question: string }, run: DurableRun) => (await agent.run(input, run)).outputs
const engine = await createFileEngine({ folder: 'runs', fn })
expectTypeOf(engine).toEqualTypeOf<DurableEngine<{ question: string }, { answer: string }>>()
const state: RunStatus<{ question: string }, { answer: string }> | undefined = await engine.status('1')

// Without a function, pass the types as type arguments.
const client = await createFileEngine<{ question: string }, { answer: string }>({ folder: 'runs' })
expectTypeOf(await client.result('1')).toEqualTypeOf<{ answer: string }>()

// @ts-expect-error A run function must return a promise, because steps are asynchronous.
createFileEngine({ folder: 'runs', fn: (input: number) => input })

export { answer, count, state }
