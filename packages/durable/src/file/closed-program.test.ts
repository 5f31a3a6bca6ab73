/** Closes an engine while a tool makes calls. */
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
  const signature = defineSignature({
    instructions: 'Pay.',
    inputs: { question: Type.String() },
    outputs: { answer: Type.String() },
  })
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
