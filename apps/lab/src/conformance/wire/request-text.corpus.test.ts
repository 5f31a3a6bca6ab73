/** Sends a conversation of recorded calls with all recorded tools, step by step. Each body must be the text of the same request written anew. */
import { join } from 'node:path'
import type { LMRequest, LMResponse, Message } from '@x/adapters'
import { createLM } from '@x/lm'
import type { ToolSpec } from '@x/tool-core'
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { corpusPath } from '../../corpora.ts'
import { WIRES } from '../../wires.ts'
import { readShapingRows, toShapingRequest } from '../shaping/shaping-case.ts'
import { readReply } from './wire-read.ts'
import { readWireCases } from './wire-suite.ts'

const recorded = readWireCases(corpusPath('wire'))
const recordedTools = readShapingRows(join(corpusPath('wire'), 'requests.json')).map(toShapingRequest)

for (const wire of WIRES) {
  const replies = recorded.filter(({ dialect }) => dialect === wire.name).map((reply) => readReply(wire, reply))
  describeCorpus(`requests of ${wire.name}`, replies, () => {
    it('have the same text as without what earlier requests left behind', async () => {
      let sent: unknown
      const fetch = async (_: unknown, init?: RequestInit) => {
        sent = init?.body
        return new Response('', { status: 400 })
      }
      const lm = createLM({ wire, baseURL: 'http://localhost', model: 'model', fetch, retries: 0 })
      const messages = toMessages(replies)
      const tools = toolsOf(wire.name)
      for (let end = 1; end <= messages.length; end++) {
        const request: LMRequest = { messages: messages.slice(0, end), tools }
        await lm.generate(request).catch(() => {})
        expect(sent).toBe(JSON.stringify(wire.encode({ ...structuredClone(request), cache: 'auto' }, 'model')))
      }
    })
  })
}

function toMessages(replies: readonly LMResponse[]): readonly Message[] {
  return replies.flatMap(({ text, toolCalls, reasoning, metadata }, turn): Message[] => [
    { role: 'user', content: `Question ${turn}` },
    { role: 'assistant', content: text, toolCalls, ...(reasoning && { reasoning }), ...(metadata && { metadata }) },
    ...toolCalls.map(({ id, name }): Message => ({ role: 'tool', callId: id, name, content: `Result ${turn}` })),
  ])
}

function toolsOf(wireName: string): readonly ToolSpec[] {
  const own = recordedTools.filter(({ dialect }) => dialect === wireName)
  const byName = new Map(own.map(({ name, description, schema }) => [name, { name, description, parameters: schema }]))
  return Array.from(byName.values(), (words) => ({ type: 'function', function: words }))
}
