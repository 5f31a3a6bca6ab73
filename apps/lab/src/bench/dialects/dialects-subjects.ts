/** The subjects of the `dialects` bench: our parser, the baseline, and the peer. */
import type { LanguageModelV3FunctionTool, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Dialect } from '@x/adapters/dialects'
import { hermes, qwen3Coder } from '@x/adapters/dialects'
import { type DialectName, type DialectSubject, WRITE_FILE } from './dialects-workload.ts'

export const jsonParse: DialectSubject = {
  read: ({ json }) => json,
  parse: (json) => JSON.parse(json),
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { hermes, qwen3_coder: qwen3Coder }
const TOOLS = [
  { type: 'function', function: { name: 'write_file', description: 'Writes a file.', parameters: WRITE_FILE } },
] as const

export const own: DialectSubject = {
  read({ dialect, deltas }) {
    const parser = DIALECTS[dialect].streamParser({ tools: TOOLS })
    let text = ''
    for (const piece of deltas) for (const delta of parser.push(piece)) if (delta.type === 'arguments') text += delta.text
    for (const delta of parser.end()) if (delta.type === 'arguments') text += delta.text
    return text
  },
}

const PEER_TOOLS: LanguageModelV3FunctionTool[] = [{ type: 'function', name: 'write_file', inputSchema: WRITE_FILE as never }]

export async function loadPeer(): Promise<DialectSubject> {
  const { hermesProtocol, qwen3CoderProtocol } = await import('@ai-sdk-tool/parser')
  const protocols = { hermes: hermesProtocol(), qwen3_coder: qwen3CoderProtocol() }
  return {
    async read({ dialect, deltas }) {
      const parts: LanguageModelV3StreamPart[] = deltas.map((delta) => ({ type: 'text-delta', id: '0', delta }))
      const stream = new ReadableStream<LanguageModelV3StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }).pipeThrough(protocols[dialect].createStreamParser({ tools: PEER_TOOLS }))
      let text = ''
      for await (const part of stream) if (part.type === 'tool-call') text += part.input
      return text
    },
  }
}
