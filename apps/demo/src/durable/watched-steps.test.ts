import type { AgentEvent, Steps } from '@x/react-agent'
import { describe, expect, it } from 'vitest'
import { watchSteps } from './watched-steps.ts'

const turn = { type: 'assistant_message', step: 1, response: { text: '', toolCalls: [] } } as unknown as AgentEvent
const started = (id: string) => ({ type: 'call_started', step: 1, call: { id, name: 'pay', args: {} } }) as AgentEvent
const finished = (callId: string) =>
  ({ type: 'call_finished', step: 1, ms: 1, observation: { callId, name: 'pay', ok: true, text: '' } }) as AgentEvent

/** Watches steps that have these records. */
function watch(...recorded: string[]) {
  const shown: AgentEvent[] = []
  const steps: Steps = {
    run: async (key, execute) => (recorded.includes(key) ? (undefined as never) : await execute()),
    wait: () => Promise.reject(new Error('No decision is expected.')),
  }
  const watched = watchSteps(steps, (event) => shown.push(event))
  const execute = (key: string) => watched.steps.run(key, async () => {})
  return { shown, execute, emit: (...events: AgentEvent[]) => events.forEach(watched.onEvent) }
}

describe('watched steps', () => {
  it('emit all events of a turn with a model request in this process', async () => {
    const { shown, execute, emit } = watch()
    await execute('model-1')
    emit(turn, started('a'))
    await execute('call-a')
    emit(finished('a'))
    expect(shown).toEqual([turn, started('a'), finished('a')])
  })

  it('emit nothing that was recorded before', async () => {
    const { shown, execute, emit } = watch('model-1', 'intent-a', 'call-a')
    await execute('model-1')
    emit(turn)
    for (const key of ['intent-a', 'call-a']) await execute(key)
    emit(finished('a'))
    expect(shown).toEqual([])
  })

  it('emit a call of a recorded turn as soon as it is executed in this process', async () => {
    const { shown, execute, emit } = watch('model-1', 'call-a')
    await execute('model-1')
    emit(turn)
    await execute('call-a')
    emit(finished('a'))
    await execute('intent-b-1')
    emit(started('b-1'))
    expect(shown).toEqual([started('b-1')])
    emit(finished('b-1'))
    expect(shown).toEqual([started('b-1'), finished('b-1')])
  })

  it('emit a call that was just decided', async () => {
    const { shown, execute, emit } = watch('model-1', 'asked-a')
    for (const key of ['model-1', 'asked-a', 'decided-a']) await execute(key)
    emit(turn, finished('a'))
    expect(shown).toEqual([finished('a')])
  })
})
