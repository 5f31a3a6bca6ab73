/** A call that has made calls itself is never reported as not run: the model would make it again, and repeat their effects. */
import type { ToolContext } from '@x/tool-core'
import { expect, it } from 'vitest'
import { agentFor } from '../../test/approval/payments.ts'
import { event } from '../../test/clock.ts'
import { add, openProgram, programTool } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call, noted } from '../../test/tools.ts'
import type { AgentError } from '../errors.ts'
import { NOT_KEPT } from '../prompts.ts'

/** An engine that loses its storage after it has recorded this step, or at this wait. */
class FailingSteps extends MemorySteps {
  readonly #key: string
  #waits = 0

  constructor(key: string) {
    super()
    this.#key = key
  }
  override async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    const value = await super.run(key, execute)
    if (key === this.#key) throw new Error('No space left.')
    return value
  }
  override async wait(key: string): Promise<unknown> {
    if (this.#key === `wait ${++this.#waits}`) throw new Error('No space left.')
    return await super.wait(key)
  }
}

it.each(['nested-c1/turn-1', 'nested-c1/execution-0', 'wait 2'])('if the engine fails: %s', async (key) => {
  const log: string[] = []
  const body = async ({ call: make }: ToolContext) => {
    await make({ name: 'add', args: { a: 1, b: 2 } })
    if (key === 'wait 2') await make({ name: 'ask', args: { a: 1, b: 2 } })
  }
  const ask = { ...add([], { needsApproval: true }), name: 'ask' }
  const { agent } = await openProgram(body, [add(log, { effect: 'write' }), ask])
  const run = agent.run({ question: '?' }, { id: 'r', steps: new FailingSteps(key) })
  const { code, trajectory } = (await run.catch((error: unknown) => error)) as AgentError
  expect([code, log.length]).toEqual(['steps_failed', 1])
  expect(trajectory?.messages.at(-1)).toMatchObject({ callId: 'c1', content: expect.stringContaining(NOT_KEPT) })
})

it('if the run is aborted while the call waits for an approval, and another one runs', async () => {
  const program = programTool(
    async ({ call: make }) => {
      await make({ name: 'add', args: { a: 1, b: 2 } })
      await make({ name: 'ask', args: { a: 1, b: 2 } })
    },
    { nested: ['add', 'ask'] },
  )
  const caller = new AbortController()
  const asked = event()
  const slow = noted('slow', [], 'read', async () => {
    await asked.reached
    caller.abort()
  })
  const ask = { ...add([], { needsApproval: true }), name: 'ask' }
  const toolCalls = [call('program', {}, 'c1'), call('slow', {}, 's1')]
  const { agent } = await agentFor([program, slow, add(), ask] as never, [{ toolCalls }, { text: 'Done.' }])
  const run = agent.run({ question: '?' }, { signal: caller.signal })
  const ended = run.catch((error: unknown) => error)
  for await (const { type } of run.stream())
    if (type === 'approval_requested') {
      // By the next turn of the event loop, the program waits.
      setTimeout(asked.reach)
      break
    }
  const { code, trajectory } = (await ended) as AgentError
  expect(code).toBe('aborted')
  expect(trajectory?.messages[2]).toMatchObject({ callId: 'c1', content: expect.stringContaining(NOT_KEPT) })
})
