/** Closes an engine while a tool makes calls, and after any of their steps. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import type { DurableRun } from '../engine/engine.ts'
import { createFileEngine } from './file-engine.ts'

const signature = defineSignature({
  instructions: 'Pay.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

it('records the running call and continues with the next one when it is opened again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'closed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made: number[] = []
  let isSlow = true
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    args: Type.Object({ amount: Type.Integer() }),
    effect: 'write',
    execute: async ({ amount }) => {
      made.push(amount)
      if (amount === 2 && isSlow) await finished
      return amount
    },
  })
  const payAll = defineTool({
    name: 'pay_all',
    description: 'Pays three times.',
    args: Type.Object({}),
    nested: ['pay'],
    execute: async (_, { call }) => {
      const paid: unknown[] = []
      for (const amount of [1, 2, 3]) paid.push(await call({ name: 'pay', args: { amount } }))
      return paid
    },
  })
  const lm: LM = {
    generate: async ({ messages }) => {
      const result = messages.find(({ role }) => role === 'tool')
      if (result !== undefined) return { text: String(result.content), toolCalls: [] }
      return { text: '', toolCalls: [{ id: 'c1', name: 'pay_all', arguments: '{}' }] }
    },
  }
  const agent = await createReactAgent({ lm, tools: [pay, payAll], signature })
  const fn = async (question: string, run: DurableRun) => {
    const { outputs, unknownCalls } = await agent.run({ question }, run)
    return { ...outputs, unknown: unknownCalls.length }
  }
  const first = await createFileEngine({ folder, fn })
  await first.start('one', '?')
  await expect.poll(() => made).toEqual([1, 2])
  const closed = first.close()
  isSlow = false
  finish()
  await closed
  await using second = await createFileEngine({ folder, fn })
  expect(await second.result('one')).toEqual({ answer: '[1,2,3]', unknown: 0 })
  expect(made).toEqual([1, 2, 3])
})

it.each([
  ['calls in a row', false],
  ['parallel calls', true],
] as const)('makes %s once each, whatever step it is closed after, and none has an unknown outcome', async (_, isParallel) => {
  const all = await payments(isParallel)
  expect(all.keys.filter((key) => key.startsWith('nested-c1/call-')).sort()).toEqual(
    ['pay', 'pay', 'look'].map((_name, index) => `nested-c1/call-c1.${index + 1}`),
  )
  for (const key of all.keys) expect(await payments(isParallel, key), key).toMatchObject({ paid: [1, 2], unknown: 0 })
})

/** Runs an agent whose tool pays twice. Closes the engine right after the step `closeAfter`, and continues in another one. */
async function payments(isParallel: boolean, closeAfter?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'closed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paid: number[] = []
  const keys: string[] = []
  let closed: Promise<void> | undefined
  // A tool with an undeclared effect may run at the same time as others, but must not be repeated.
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    args: Type.Object({ amount: Type.Integer() }),
    ...(!isParallel && { effect: 'write' as const }),
    execute: ({ amount }) => paid.push(amount),
  })
  const look = defineTool({ name: 'look', description: 'Looks.', args: Type.Object({}), effect: 'read', execute: () => 'seen' })
  const payAll = defineTool({
    name: 'pay_all',
    description: 'Pays twice.',
    args: Type.Object({}),
    nested: ['pay', 'look'],
    execute: async (_, { call }) => {
      const calls = [
        () => call({ name: 'pay', args: { amount: 1 } }),
        () => call({ name: 'pay', args: { amount: 2 } }),
        () => call({ name: 'look', args: {} }),
      ]
      if (isParallel) await Promise.all(calls.map((make) => make()))
      else for (const make of calls) await make()
      return 'Paid.'
    },
  })
  const lm: LM = {
    generate: async ({ messages }) => {
      const result = messages.find(({ role }) => role === 'tool')
      if (result !== undefined) return { text: String(result.content), toolCalls: [] }
      return { text: '', toolCalls: [{ id: 'c1', name: 'pay_all', arguments: '{}' }] }
    },
  }
  const agent = await createReactAgent({ lm, tools: [pay, look, payAll], signature })
  const fn = async (question: string, run: DurableRun) => {
    const steps: DurableRun['steps'] = {
      ...run.steps,
      async run(key, execute) {
        const result = await run.steps.run(key, execute)
        keys.push(key)
        if (key === closeAfter) closed ??= first.close()
        return result
      },
    }
    return (await agent.run({ question }, { ...run, steps })).unknownCalls.length
  }
  const first = await createFileEngine({ folder, fn })
  await first.start('one', '?')
  if (closeAfter !== undefined) await expect.poll(() => closed !== undefined).toBe(true)
  await closed
  const engine = closeAfter === undefined ? first : await createFileEngine({ folder, fn })
  const unknown = await engine.result('one')
  await engine.close()
  return { paid: paid.sort(), unknown, keys }
}
