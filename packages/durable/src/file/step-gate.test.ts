/** Tests new steps that a program requests before a decision that its run waited for. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { DurableRun, RunFunction } from '../engine/engine.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'step-gate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts a run that waits for the decision `go`, makes the decision, and continues the run with another function. */
async function continued(name: string, first: RunFunction<number, unknown>, next: RunFunction<number, unknown>) {
  const folder = join(root, name)
  {
    await using engine = await createFileEngine({ folder, fn: first, lookEveryMs: 20 })
    await engine.start('run', 1)
    await expect.poll(async () => (await engine.status('run'))?.state).toBe('waiting')
  }
  await using client = await createFileEngine<number, unknown>({ folder })
  await client.signal('run', 'go', 'yes')
  return await createFileEngine({ folder, fn: next, lookEveryMs: 20 })
}

const waiting = (_: number, { steps }: DurableRun) => steps.wait('go')

describe('a new step before the decision', () => {
  it('starts once another branch requests the decision, even if that takes a while', async () => {
    const program =
      (keys: readonly string[]) =>
      async (_: number, { steps }: DurableRun) => {
        const decided = sleep(200).then(() => steps.wait('go'))
        const values: string[] = []
        for (const key of keys) values.push(await steps.run(key, async () => key))
        return [values, await decided]
      }
    await using engine = await continued('branches', program(['a']), program(['a', 'b']))
    expect(await engine.result('run')).toEqual([['a', 'b'], 'yes'])
  })

  it('does not start, and does not block the closing of the engine', async () => {
    const executed: string[] = []
    let requested = false
    const engine = await continued('closed', waiting, async (_, { steps }) => {
      requested = true
      return await steps.run('b', async () => executed.push('b'))
    })
    await expect.poll(() => requested).toBe(true)
    await engine.close()
    expect(executed).toEqual([])
    await using client = await createFileEngine({ folder: join(root, 'closed') })
    expect((await client.status('run'))?.state).toBe('queued')
  })

  it('makes the run held, even if the function retries it forever', async () => {
    const executed: string[] = []
    await using engine = await continued('stuck', waiting, async (_, { steps }) => {
      for (;;) await steps.run('b', async () => executed.push('b')).catch(() => sleep(5))
    })
    await expect.poll(async () => (await engine.status('run'))?.state).toBe('held')
    expect((await engine.status('run'))?.failure).toMatchObject({
      code: 'steps_mismatch',
      message: expect.stringContaining('it requested the step "b" before the decision "go".'),
    })
    expect(executed).toEqual([])
  })
})
