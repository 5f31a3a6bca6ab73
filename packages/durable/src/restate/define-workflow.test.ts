import type { WorkflowContext } from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import { defineWorkflow, type WorkflowParts } from './define-workflow.ts'
import { loadSdk } from './load-sdk.ts'
import { OwnInputs } from './own-input.ts'

it('executes no step in an attempt that the server has given up before the worker begins it', async () => {
  const executed: string[] = []
  const fn: RunFunction<null, unknown> = (_, { steps }) => steps.run('a', async () => executed.push('a'))
  const sdk = await loadSdk()
  const parts = {
    sdk,
    fn,
    options: { name: 'runs', maxRecordBytes: 1000 },
    attempts: new Set(),
    inputs: new OwnInputs(),
    isClosing: () => false,
  }
  const definition = defineWorkflow(parts as unknown as WorkflowParts<null, unknown>)
  const { run } = (
    definition as unknown as { workflow: Record<string, (context: WorkflowContext, text: string) => Promise<string>> }
  ).workflow
  const context = {
    key: 'a',
    request: () => ({ attemptCompletedSignal: AbortSignal.abort(), attemptHeaders: new Map(), id: 'inv_1' }),
    run: (_: string, record: () => Promise<string>) => record(),
  }
  await expect(run?.(context as unknown as WorkflowContext, '{}')).rejects.toMatchObject({ code: 'lost' })
  expect(executed).toEqual([])
  expect(parts.attempts.size).toBe(0)
})
