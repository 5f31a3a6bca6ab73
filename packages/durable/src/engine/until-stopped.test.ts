import { expect, it } from 'vitest'
import type { RunState, RunStatus } from './engine.ts'
import { untilStopped } from './until-stopped.ts'

/** Creates an engine that returns one state after the other, and then keeps returning the last one. */
function engineWith(...states: RunState[]) {
  return {
    status: async (id: string): Promise<RunStatus> => ({
      ...{ id, input: 'tea', waitsFor: [], startedAt: '2026-11-23T00:00:00.000Z' },
      state: (states.length > 1 ? states.shift() : states[0]) as RunState,
    }),
  }
}

it.each<RunState>(['waiting', 'finished', 'failed', 'cancelled'])(
  'resolves with the status once the run is %s',
  async (state) => {
    expect(await untilStopped(engineWith('queued', 'running', state), 'one')).toMatchObject({ id: 'one', state })
  },
)

it('rejects with the reason of the signal while the run is executed', async () => {
  const controller = new AbortController()
  const waiting = untilStopped(engineWith('running'), 'one', { signal: controller.signal })
  controller.abort(new Error('Stop.'))
  await expect(waiting).rejects.toThrow('Stop.')
})

it('rejects for a run that does not exist', async () => {
  await expect(untilStopped({ status: async () => undefined }, 'one')).rejects.toMatchObject({ code: 'unknown_run' })
})
