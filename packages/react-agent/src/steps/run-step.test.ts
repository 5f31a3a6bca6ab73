/** Tests engines that hang or lose records. */
import { scriptedLM } from '@x/lm/testing'
import { defineTool, type Effect } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { event, onFakeClock } from '../../test/clock.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import type { Steps } from './steps.ts'

type Fault = 'silent before' | 'silent after' | 'fails before' | 'fails after'

/** An engine that works until this key, then hangs or fails, before or after the execution. */
class BrokenSteps extends MemorySteps {
  readonly #at: string
  readonly #how: Fault
  readonly #event = event()
  /** Resolves when the run waits for this step. */
  readonly silent = this.#event.reached

  constructor(at: string, how: Fault) {
    super()
    this.#at = at
    this.#how = how
  }

  override async run<T>(key: string, execute: () => Promise<T>): Promise<T> {
    if (key !== this.#at) return super.run(key, execute)
    if (this.#how.endsWith('after')) await execute()
    if (this.#how.startsWith('fails')) throw new Error('disk full')
    this.#event.reach()
    return new Promise(() => {})
  }
}

/** Runs an agent that makes a payment with the engine. The clock stands still until the engine hangs. */
async function payOver(steps: Steps, { effect = 'write' as Effect | undefined, ...options } = {}) {
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay.',
    args: Type.Object({ euros: Type.Number() }),
    effect,
    execute: (_, { idempotencyKey }) => {
      paid.push(idempotencyKey)
      return 'paid'
    },
  })
  const lm = scriptedLM([{ toolCalls: [call('pay', { euros: 5 }, '1')] }, { text: 'Done.' }])
  const agent = await createReactAgent({ lm, tools: [pay], signature: answer })
  const run = () => agent.run({ question: '?' }, { steps, id: 'r', timeoutMs: 50, ...options })
  const silent = steps instanceof BrokenSteps ? steps.silent : new Promise(() => {})
  const error = await onFakeClock(run, silent).then(
    () => undefined,
    (thrown) => thrown,
  )
  return { paid, error }
}

const UNKNOWN = [{ code: 'unknown_outcome', callId: '1', name: 'pay', args: { euros: 5 }, idempotencyKey: 'r/1' }]

describe("an engine that doesn't respond", () => {
  it.each(['start', 'model-1', 'intent-1', 'call-1'])(
    'ends the run with its timeout at "%s", and starts nothing',
    async (key) => {
      const { paid, error } = await payOver(new BrokenSteps(key, 'silent before'))
      expect(error).toMatchObject({ code: 'timed_out', unknownCalls: [] })
      expect(paid).toEqual([])
    },
  )

  it('leaves a call unknown that was executed but not recorded', async () => {
    const { paid, error } = await payOver(new BrokenSteps('call-1', 'silent after'))
    expect(paid).toEqual(['r/1'])
    expect(error).toMatchObject({ code: 'timed_out', unknownCalls: UNKNOWN })
  })

  it('ends the run at once when the caller aborts', async () => {
    const caller = new AbortController()
    const steps = new BrokenSteps('model-2', 'silent before')
    steps.silent.then(() => caller.abort())
    const { error } = await payOver(steps, { signal: caller.signal, timeoutMs: undefined } as never)
    expect(error).toMatchObject({ code: 'aborted', unknownCalls: [] })
  })

  it('starts nothing if the caller has already aborted', async () => {
    const { paid, error } = await payOver(new MemorySteps(), { signal: AbortSignal.abort() } as never)
    expect(error).toMatchObject({ code: 'aborted' })
    expect(paid).toEqual([])
  })
})

describe('an engine that fails', () => {
  it('leaves a call unknown that was executed but not recorded', async () => {
    const { paid, error } = await payOver(new BrokenSteps('call-1', 'fails after'))
    expect(paid).toEqual(['r/1'])
    expect(error).toMatchObject({ code: 'steps_failed', unknownCalls: UNKNOWN })
  })

  it.each(['intent-1', 'call-1'])('leaves nothing unknown if it fails at "%s" before the execution', async (key) => {
    const { paid, error } = await payOver(new BrokenSteps(key, 'fails before'))
    expect(error).toMatchObject({ code: 'steps_failed', unknownCalls: [] })
    expect(paid).toEqual([])
  })

  it('leaves no call of a read-only tool unknown', async () => {
    const { error } = await payOver(new BrokenSteps('call-1', 'fails after'), { effect: 'read' })
    expect(error).toMatchObject({ code: 'steps_failed', unknownCalls: [] })
  })
})
