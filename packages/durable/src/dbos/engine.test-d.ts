import { expectTypeOf } from 'vitest'
import type { DurableEngine, DurableRun } from '../engine/engine.ts'
import { createDbosEngine } from './dbos-engine.ts'

const fn = async (input: { question: string }, run: DurableRun) => ({ answer: `${input.question} ${run.id}` })
const engine = await createDbosEngine({ name: 'a', databaseUrl: 'postgres://a@b/c', fn })
expectTypeOf(engine).toEqualTypeOf<DurableEngine<{ question: string }, { answer: string }>>()

const client = await createDbosEngine<{ question: string }, { answer: string }>({ name: 'a', databaseUrl: 'postgres://a@b/c' })
expectTypeOf(await client.result('1')).toEqualTypeOf<{ answer: string }>()
// @ts-expect-error: no such input
await client.start('1', { answer: 'Tea.' })
