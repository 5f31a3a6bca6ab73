import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent, isAgentError } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { OrderedEngine } from '../../test/ordered-engine.ts'
import { seededRandom } from '../contract/case.ts'
import { createFileEngine } from '../file/file-engine.ts'
import type { DurableRun } from './engine.ts'

/** Creates the agent of the example for a long provider outage in docs/durable.md. */
async function openPatientAgent() {
  let outages = 3
  let orders = 0
  const lm: LM = {
    async generate({ messages }) {
      const hasOrdered = messages.some(({ role }) => role === 'tool')
      if (hasOrdered && outages-- > 0) throw new Error('503')
      if (hasOrdered) return { text: 'Ordered.', toolCalls: [] }
      return { text: '', toolCalls: [{ id: 'o1', name: 'order', arguments: '{}' }] }
    },
  }
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    args: Type.Object({}),
    effect: 'write',
    execute: () => ++orders,
  })
  const signature = defineSignature({
    instructions: 'Order.',
    inputs: { question: Type.String() },
    outputs: { answer: Type.String() },
  })
  const agent = await createReactAgent({ lm, tools: [order], signature })
  const fn = async (_: unknown, run: DurableRun) => {
    for (let wait = 1; ; wait *= 2) {
      try {
        return (await agent.run({ question: 'Tea?' }, run)).outputs
      } catch (error) {
        if (!isAgentError(error) || error.code !== 'model_failed' || run.signal.aborted) throw error
        await setTimeout(wait, undefined, { signal: run.signal })
      }
    }
  }
  return { fn, ordered: () => orders }
}

it('a function can run its agent again after an outage without repeating recorded steps', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { fn, ordered } = await openPatientAgent()
  await using engine = await createFileEngine({ folder, fn })
  expect(await engine.run('one', null)).toEqual({ answer: 'Ordered.' })
  expect(ordered()).toBe(1)
})

it('a function can do the same over ordered records, which contain failures', async () => {
  const { fn, ordered } = await openPatientAgent()
  const engine = new OrderedEngine()
  expect(await engine.play(fn)).toEqual({ output: { answer: 'Ordered.' } })
  expect(await engine.play(fn)).toEqual({ output: { answer: 'Ordered.' } })
  expect(ordered()).toBe(1)
})

it('an agent has the same result wherever its process crashes, with parallel calls, a decision and a context overflow', async () => {
  const { fn, executed } = await openBusyAgent()
  const whole = new OrderedEngine()
  whole.decisions.set('approval-pay', true)
  const expected = await whole.play(fn)
  expect(expected?.output).toMatchObject({ answer: 'Done.' })
  expect(executed()).toEqual(['look', 'look', 'look', 'look', 'pay'])
  for (let crashAfter = 0; crashAfter < whole.records.length; crashAfter++) {
    const { fn: again, executed: paid } = await openBusyAgent()
    const engine = new OrderedEngine()
    engine.decisions.set('approval-pay', true)
    engine.crashAfter = crashAfter
    const ended = await engine.play(again)
    // Calls that end at about the same time share a record, so this run may have had fewer records.
    if (ended !== undefined) {
      expect({ crashAfter, isNearTheEnd: crashAfter >= whole.records.length - 2, ...ended }).toEqual({
        crashAfter,
        isNearTheEnd: true,
        ...expected,
      })
      continue
    }
    engine.crashAfter = Number.POSITIVE_INFINITY
    expect({ crashAfter, ...(await engine.play(again)) }).toEqual({ crashAfter, ...expected })
    expect(paid().filter((name) => name === 'pay').length).toBeLessThanOrEqual(2)
  }
})

const random = seededRandom(1)

/** Creates an agent that reads three times concurrently, pays once after an approval, and exceeds its model's context once. */
async function openBusyAgent() {
  const executed: string[] = []
  const lm: LM = {
    async generate({ messages }) {
      const text = JSON.stringify(messages)
      const look = (...ids: string[]) => ids.map((id) => ({ id, name: 'look', arguments: JSON.stringify({ at: id }) }))
      if (!text.includes('seen')) return { text: '', toolCalls: look('a', 'b', 'c') }
      if (text.includes('paid')) return { text: 'Done.', toolCalls: [] }
      if (!text.includes('seen d')) return { text: '', toolCalls: look('d') }
      // The model refuses requests until the first turn is dropped.
      if (text.includes('seen a')) throw Object.assign(new Error('no'), { status: 400, code: 'context_length_exceeded' })
      return { text: '', toolCalls: [{ id: 'pay', name: 'pay', arguments: '{}' }] }
    },
  }
  const tools = [
    defineTool({
      name: 'look',
      description: 'Looks.',
      effect: 'read',
      args: Type.Object({ at: Type.String() }),
      execute: async ({ at }) => {
        await setTimeout(random() * 5)
        executed.push('look')
        return `seen ${at}`
      },
    }),
    defineTool({
      name: 'pay',
      description: 'Pays.',
      args: Type.Object({}),
      effect: 'idempotent',
      needsApproval: true,
      execute: () => {
        executed.push('pay')
        return 'paid'
      },
    }),
  ]
  const signature = defineSignature({
    instructions: 'Pay.',
    inputs: { question: Type.String() },
    outputs: { answer: Type.String() },
  })
  const agent = await createReactAgent({ lm, tools, signature })
  const fn = async (_: unknown, run: DurableRun) => {
    const { outputs, unknownCalls } = await agent.run({ question: 'Pay?' }, run)
    return { ...outputs, unknown: unknownCalls.length > 0 ? 'some' : 'none' }
  }
  return { fn, executed: () => [...executed].sort() }
}
