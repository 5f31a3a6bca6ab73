/** Closes an engine after any step of an agent whose calls write. */
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

it('makes each call once, whatever step it is closed after, and no call has an unknown outcome', async () => {
  const all = await payments()
  expect(all.keys).toEqual(['start', 'model-1', 'intent-a', 'call-a', 'model-2', 'intent-b', 'call-b', 'model-3'])
  for (const key of all.keys) expect(await payments(key), key).toMatchObject({ paid: [1, 2], unknown: 0 })
})

/** Runs an agent that pays twice. Closes the engine right after the step `closeAfter`, and continues in another one. */
async function payments(closeAfter?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'closed-call-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paid: number[] = []
  const keys: string[] = []
  let closed: Promise<void> | undefined
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    args: Type.Object({ amount: Type.Integer() }),
    effect: 'write',
    execute: ({ amount }) => paid.push(amount),
  })
  const calls = [
    { id: 'a', name: 'pay', arguments: '{"amount":1}' },
    { id: 'b', name: 'pay', arguments: '{"amount":2}' },
  ]
  const lm: LM = {
    generate: async ({ messages }) => {
      const call = calls[messages.filter(({ role }) => role === 'tool').length]
      return call === undefined ? { text: 'Paid.', toolCalls: [] } : { text: '', toolCalls: [call] }
    },
  }
  const agent = await createReactAgent({ lm, tools: [pay], signature })
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
  return { paid, unknown, keys }
}
