import { expectTypeOf } from 'vitest'
import type { DurableEngine, DurableRun } from '../engine/engine.ts'
import { createRestateEngine } from './create-engine.ts'

const fn = async (input: { question: string }, run: DurableRun) => ({ answer: `${input.question} ${run.id}` })
const engine = await createRestateEngine({ name: 'a', ingressUrl: 'http://a', adminUrl: 'http://b', fn })
expectTypeOf(engine).toEqualTypeOf<DurableEngine<{ question: string }, { answer: string }>>()

const client = await createRestateEngine<{ question: string }, { answer: string }>({
  name: 'a',
  ingressUrl: 'http://a',
  adminUrl: 'http://b',
})
expectTypeOf(await client.result('1')).toEqualTypeOf<{ answer: string }>()
// @ts-expect-error The function has no such input.
await client.start('1', { answer: 'Tea.' })
