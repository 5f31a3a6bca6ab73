/** Our agent over an API, and the baseline: a handwritten loop that writes the tools as text once, and all messages in every step. */
import { createLM } from '@x/lm'
import { findWire } from '../../wires.ts'
import type { LoopTool } from '../loop/loop-workload.ts'
import { createLoop } from '../loop/own-loop.ts'
import type { WireLoopSubject } from './wire-loop.ts'

export const ownLoop: WireLoopSubject = {
  createWireLoop({ fetch, ...options }) {
    return createLoop(options, createLM({ wire: findWire('openai-chat'), baseURL: 'http://localhost/v1', model: 'model', fetch }))
  },
}

/** It has no deadlines, and doesn't check replies or arguments. */
export const bareLoop: WireLoopSubject = {
  createWireLoop({ tools, fetch, prompt }) {
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const written = JSON.stringify(tools.map(toWireTool))
    return {
      async run() {
        const messages: object[] = [{ role: 'user', content: prompt }]
        for (;;) {
          const body = `{"model":"model","messages":${JSON.stringify(messages)},"tools":${written}}`
          const reply = await fetch('http://localhost/v1/chat/completions', { method: 'POST', body })
          const [{ message }] = ((await reply.json()) as ChatReply).choices
          if (message.tool_calls === undefined) return message.content ?? ''
          messages.push(message)
          for (const { id, function: call } of message.tool_calls) {
            const output = byName.get(call.name)?.execute(JSON.parse(call.arguments))
            messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(output) })
          }
        }
      },
    }
  },
}

interface ChatReply {
  readonly choices: readonly [{ readonly message: ChatMessage }]
}

interface ChatMessage {
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

function toWireTool({ name, description, parameters }: LoopTool): object {
  return { type: 'function', function: { name, description, parameters } }
}
