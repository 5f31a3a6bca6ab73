/** A workload of the `wire` bench: an agent loop over an API, with a `fetch` that encodes each body and returns a scripted reply. */
import type { Workload } from '../bench.ts'
import type { ScriptedCall, ScriptedModel } from '../loop/loop-script.ts'
import { type Loop, type LoopOptions, openLoop } from '../loop/loop-workload.ts'

/** The exports of a subject's module. */
export interface WireLoopSubject {
  createWireLoop(options: WireLoopOptions): Loop | Promise<Loop>
}

export interface WireLoopOptions extends LoopOptions {
  /** Replies as the API `openai-chat`. */
  readonly fetch: typeof globalThis.fetch
}

export function openWireLoop(subject: WireLoopSubject, sizes: { tools: number; steps: number }): Promise<Workload> {
  return openLoop({ createLoop: (options) => subject.createWireLoop({ ...options, fetch: toFetch(options.script) }) }, sizes)
}

function toFetch(script: ScriptedModel): typeof globalThis.fetch {
  const encoder = new TextEncoder()
  return async (_, init) => {
    const body = init?.body as string
    encoder.encode(body)
    return new Response(toReply(script.next(body), script.answer), { headers: { 'content-type': 'application/json' } })
  }
}

function toReply(call: ScriptedCall | undefined, answer: string): string {
  const choice =
    call === undefined
      ? { message: { role: 'assistant', content: answer }, finish_reason: 'stop' }
      : { message: { role: 'assistant', content: null, tool_calls: [toWireCall(call)] }, finish_reason: 'tool_calls' }
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'model' }
  return JSON.stringify({ ...head, choices: [{ index: 0, ...choice }], usage })
}

function toWireCall({ id, name, arguments: text }: ScriptedCall): object {
  return { id, type: 'function', function: { name, arguments: text } }
}
