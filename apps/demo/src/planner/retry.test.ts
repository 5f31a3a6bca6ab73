import { describe, expect, it } from 'vitest'
import { runTask, tool } from '../../test/run-task.ts'

const setMode = tool('set_mode', 'Set the mode of the lamp', { properties: { mode: { type: 'string' } }, required: ['mode'] })

/** Returns the modes that the planner passes when the first call fails with this message. */
async function modesAfter(message: string): Promise<readonly unknown[]> {
  const results = { set_mode: ({ mode }: { mode?: string }) => (mode === 'dim' ? Promise.reject(new Error(message)) : 'done') }
  const run = await runTask('Set the mode of the lamp to dim', [setMode], results)
  return run.calls.map(([, args]) => (args as { mode: unknown }).mode)
}

describe('a call that failed', () => {
  it.each([
    'mode must be "dimmed".',
    'mode must be equal to one of the allowed values: "dimmed", "bright"',
    'mode must be equal to one of the allowed values: dimmed, bright',
    'mode must be one of dimmed, bright.',
    'Allowed values of mode: dimmed or bright.',
    'There is no such mode. Did you mean dimmed? The lamp is off.',
  ])('is repeated with the value that its message suggests: %s', async (message) => {
    expect(await modesAfter(message)).toEqual(['dim', 'dimmed'])
  })

  it.each([
    'mode must be lowercase.',
    'mode must be above zero',
    'The mode must be a whole word.',
    'Expected a longer mode.',
    'Invalid mode: too dim',
    'The mode is unknown here.',
    'The lamp is busy, try again later.',
    'No valid mode.',
  ])("isn't repeated with words that describe a value: %s", async (message) => {
    expect(await modesAfter(message)).toEqual(['dim'])
  })
})
