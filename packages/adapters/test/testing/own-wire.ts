/** The wire format in src/wire/README.md, and its samples. A test compares them with that page line by line. */
import type { Message } from '../../src/index.ts'
import type { WireSample } from '../../src/testing/index.ts'
import { type CallIds, defineWire, openaiChatRules } from '../../src/wire/index.ts'

// README
// A provider may send any value in any field, so check each one.
const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as keyof typeof value] : undefined
const textAt = (value: unknown, key: string) => (typeof at(value, key) === 'string' ? (at(value, key) as string) : undefined)
const countAt = (value: unknown, key: string) => (Number.isFinite(at(value, key)) ? (at(value, key) as number) : undefined)
const listAt = (value: unknown, key: string) => (Array.isArray(at(value, key)) ? (at(value, key) as unknown[]) : [])

type Lose = (path: string, keyword: string) => void

const toTurn = (message: Message, lose: Lose) => {
  const parts = 'parts' in message ? (message.parts ?? []) : []
  // The text names the parts that are not sent.
  for (const [index, { type }] of parts.entries()) if (type !== 'text') lose(`/parts/${index}`, type)
  if (message.role === 'tool') return { by: 'tool', say: message.content, of: message.callId, failed: message.isError === true }
  if (message.role !== 'assistant') return { by: message.role, say: message.content }
  if (message.reasoning) lose('/reasoning', 'reasoning')
  const calls = message.toolCalls?.map((call) => ({ id: call.id, title: call.name, json: call.arguments }))
  return { by: 'model', say: message.content, calls }
}

const readFault = (reply: unknown) => {
  const message = textAt(at(reply, 'fault'), 'message')
  return message === undefined ? undefined : { message, code: textAt(at(reply, 'fault'), 'code') }
}
const readCalls = (reply: unknown, ids: CallIds) =>
  listAt(reply, 'calls').map((call) => ({
    ...{ id: ids.take(textAt(call, 'id')), name: textAt(call, 'title') ?? '', arguments: textAt(call, 'json') ?? '' },
  }))
const readUsage = (reply: unknown) => {
  const tokens = at(reply, 'tokens')
  const [inputTokens, outputTokens, cacheReadTokens] = ['read', 'written', 'cached'].map((key) => countAt(tokens, key))
  return tokens ? { inputTokens, outputTokens, cacheReadTokens } : undefined
}
// `defineWire` turns `stop` into `tool-calls` when there are calls.
const readFinish = (reply: unknown) => {
  const rawFinishReason = textAt(reply, 'ended')
  return rawFinishReason === undefined
    ? undefined
    : { finishReason: FINISHES.get(rawFinishReason) ?? ('other' as const), rawFinishReason }
}
const FINISHES = new Map([
  ['done', 'stop' as const],
  ['limit', 'length' as const],
])

const acmeWire = defineWire({
  name: 'acme',
  path: '/generate',
  // What the API accepts in a tool: your own rules, or those of an API that accepts the same.
  toolRules: () => ({ ...openaiChatRules, strict: undefined }),
  encode({ model, stream, messages, tools, toolChoice, parallelToolCalls, request, lose }) {
    const drop: Lose = (path, keyword) => lose({ path, keyword, action: 'dropped' })
    for (const setting of Object.keys(request.settings ?? {})) drop(`/settings/${setting}`, setting)
    if (request.responseFormat) drop('/responseFormat', 'responseFormat')
    if (parallelToolCalls === false) drop('/parallelToolCalls', 'parallelToolCalls')
    const functions = tools.map(({ tool }) => {
      const { name, description, parameters } = tool.function
      return { title: name, about: description, takes: parameters }
    })
    return {
      ...{ model, stream },
      turns: messages.map((message, index) => toTurn(message, (path, keyword) => drop(`/messages/${index}${path}`, keyword))),
      ...(functions.length > 0 && { functions, pick: toolChoice }),
    }
  },
  decode(reply, ids) {
    const error = readFault(reply)
    const { finishReason, rawFinishReason } = readFinish(reply) ?? {}
    const calls = readCalls(reply, ids)
    // A reply that reached its limit stopped inside its last call.
    const toolCalls = calls.map((call, index) => ({
      ...call,
      truncated: finishReason === 'length' && index === calls.length - 1,
    }))
    return {
      text: textAt(reply, 'say') ?? '',
      toolCalls,
      finishReason: error ? 'error' : finishReason,
      rawFinishReason,
      error,
      usage: readUsage(reply),
      raw: reply,
    }
  },
  decodeError: readFault,
  streamDecoder(ids) {
    let count = 0
    let open: number | undefined
    let isOver = false
    const close = (truncated = false) => {
      const ended = open === undefined ? [] : [{ type: 'call_end' as const, index: open, truncated }]
      open = undefined
      return ended
    }
    const start = ({ id, name, arguments: text }: ReturnType<typeof readCalls>[0]) => {
      const ended = close()
      const index = count++
      open = index
      return [...ended, { type: 'call_start' as const, index, id, name }, { type: 'arguments' as const, index, text }]
    }
    return {
      push(event) {
        if (isOver) return []
        const [error, say, usage, end] = [readFault(event), textAt(event, 'say'), readUsage(event), readFinish(event)]
        isOver = end !== undefined
        return [
          ...(error ? [{ type: 'error' as const, error }] : []),
          ...(say ? [{ type: 'text' as const, text: say }] : []),
          ...readCalls(event, ids).flatMap(start),
          ...(usage ? [{ type: 'usage' as const, usage }] : []),
          ...(end ? [...close(end.finishReason === 'length'), { type: 'finish' as const, ...end }] : []),
        ]
      },
      end: () => (isOver ? [] : [...close(true), { type: 'finish' as const, finishReason: 'error' as const }]),
    }
  },
})

const tea = { id: 'c1', title: 'look_up', json: '{"query":"tea"}' }
const milk = { id: 'c2', title: 'look_up', json: '{"query":"oat  milk", "days":2}' }
const fault = { message: 'Too many at once.', code: 'busy' }
const tokens = { read: 20, cached: 8, written: 6 }
const called = { name: 'look_up', args: { query: 'tea' } }

const samples: WireSample[] = [
  {
    ...{ name: 'two calls', kind: 'cached_tokens', text: 'I look.' },
    calls: [called, { name: 'look_up', args: { query: 'oat  milk', days: 2 }, json: milk.json }],
    rawFinishReason: 'done',
    usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 },
    reply: { say: 'I look.', calls: [tea, milk], ended: 'done', tokens },
    events: [{ say: 'I ' }, { say: 'look.' }, { calls: [tea] }, { calls: [milk] }, { ended: 'done', tokens }],
  },
  {
    ...{ name: 'a call at the limit', kind: 'cut', text: '', calls: [called, { name: 'look_up', truncated: true }] },
    reply: { calls: [tea, { ...milk, json: '{"qu' }], ended: 'limit' },
    events: [{ calls: [tea] }, { calls: [{ ...milk, json: '{"qu' }] }, { ended: 'limit' }],
  },
  {
    ...{ name: 'a fault', kind: 'error', text: '', calls: [], error: fault },
    reply: { fault },
    events: [{ fault }],
  },
  {
    ...{ name: 'text after a call', kind: 'text_behind_calls', text: 'I wait.', calls: [called] },
    reply: { calls: [tea], say: 'I wait.', ended: 'done' },
    events: [{ calls: [tea] }, { say: 'I wait.' }, { ended: 'done' }],
  },
  {
    ...{ name: 'a call', kind: 'stop_beside_calls', text: '', calls: [called] },
    reply: { calls: [tea], ended: 'done' },
    events: [{ calls: [tea] }, { ended: 'done' }],
  },
]

// README

export { acmeWire, samples }
