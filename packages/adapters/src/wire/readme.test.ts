/** Tests the wire format in README.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectDeltas, type LMRequest } from '../index.ts'
import type { Loss } from '../shaping/loss.ts'
import { defineWire, openaiChatRules, type WireFormat } from './index.ts'

const acme = readExample()
const request: LMRequest = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ type: 'function', function: { name: 'a.b', description: 'D.', parameters: { type: 'object', properties: {} } } }],
  settings: { seed: 7 },
}

it('sends what the README shows, with converted names, and reports losses', () => {
  const losses: Loss[] = []
  const body = acme.encode(request, 'm', { onLoss: (loss) => losses.push(loss) })
  expect(body).toMatchObject({ model: 'm', prompt: 'Hello', functions: [{ name: 'a_b' }] })
  expect(losses).toEqual([{ path: '/settings/seed', keyword: 'seed', action: 'dropped' }])
})

it('decodes a reply, and restores the original tool names', () => {
  const response = acme.decode({ say: 'Hi', calls: [{ fn: 'a_b', json: '{}' }] }, request)
  expect(response).toMatchObject({ text: 'Hi', toolCalls: [{ name: 'a.b', arguments: '{}' }], finishReason: 'tool-calls' })
})

it.each([
  ['a complete stream', [{ say: 'H' }, { say: 'i', done: true }], 'stop'],
  ['a stream that ends early', [{ say: 'Hi' }], 'error'],
])('decodes %s', (_, events, finishReason) => {
  const decoder = acme.streamDecoder?.(request)
  const deltas = [...events.flatMap((event) => decoder?.push(event) ?? []), ...(decoder?.end() ?? [])]
  expect(collectDeltas(deltas)).toMatchObject({ text: 'Hi', finishReason })
})

function readExample(): WireFormat {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')) ?? []
  const program = `${code.replace(/^import .*$/m, '')}\nreturn acme`
  return new Function('defineWire', 'openaiChatRules', program)(defineWire, openaiChatRules)
}
