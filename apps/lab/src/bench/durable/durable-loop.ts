/** A typical hand-written agent loop for an engine: each model call and each tool call goes through `step`. */
import type { DurableReply, DurableScript, Message } from './durable-script.ts'
import type { DurableSubject } from './durable-workload.ts'

export interface LoopSteps {
  step<T>(name: string, execute: () => Promise<T>): PromiseLike<T>
  /** `Promise.all`, or the engine's replacement for it. */
  all<T>(promises: readonly PromiseLike<T>[]): PromiseLike<readonly T[]>
}

export async function runLoop(script: DurableScript, { step, all }: LoopSteps): Promise<string> {
  const messages: (Message & Record<string, unknown>)[] = [{ role: 'user', content: 'Add the numbers.' }]
  for (let turn = 0; ; turn++) {
    const reply: DurableReply = await step(`lm-${turn}`, async () => script.next(messages))
    if (reply.toolCalls.length === 0) return reply.text
    const results = await all(
      reply.toolCalls.map((call, index) => step(`tool-${turn}-${index}`, async () => script.add(JSON.parse(call.arguments)))),
    )
    messages.push({ role: 'assistant', ...reply })
    for (const [index, content] of results.entries()) messages.push({ role: 'tool', id: reply.toolCalls[index]?.id, content })
  }
}

/** The baseline: records nothing. */
export const bare: DurableSubject = {
  async open({ script, timed }) {
    const steps: LoopSteps = { step: (_, execute) => execute(), all: (promises) => Promise.all(promises) }
    return {
      run: () => timed(() => runLoop(script, steps)),
      recorded: async () => undefined,
      close: async () => {},
    }
  },
}
