import { test } from 'vitest'
import { openaiChat, defineOpenAIChatHost, openaiChatHosts, openaiChatProfiles, anthropicMessages, gemini, ollama, openaiChatRules, openaiResponses } from '@x/adapters/wire'
import { parseArguments } from '@x/adapters/arguments'
import { AwsV4Signer } from 'aws4fetch'
import { createHash, createHmac } from 'node:crypto'
import type { LMRequest, LM, LMDelta } from '@x/adapters'
import { createLM, withCache, withFallback, withRateLimit, withRetry, LMError } from './index.ts'
import { bedrock } from './presets/index.ts'
import { fromAISDK } from './ai-sdk/index.ts'
import { serve } from './test-server.ts'

const log = (...a: unknown[]) => console.log(...a)
const user = (content: string) => ({ role: 'user' as const, content })
const tool = (name: string, parameters: object = { type: 'object', properties: {} }) => ({ type: 'function' as const, function: { name, description: 'd', parameters } })
const ok = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] }

test('4 restore duplicates/bigint', () => {
  const t = tool('a', { type: 'object', properties: { n: { type: 'number' }, o: { type: 'string' } }, required: ['n'], additionalProperties: false })
  const request: LMRequest = { messages: [user('q')], tools: [t], strictTools: true }
  log('4 tools', JSON.stringify(openaiChat.encode(request, 'm').tools))
  for (const text of ['{"n":1,"n":2,"o":null}', '{"n":12345678901234567890,"o":null}', '{"n":1,"__proto__":{"x":1},"o":null}']) {
    const reply = { choices: [{ index: 0, message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: text } }] }, finish_reason: 'tool_calls' }] }
    const got = openaiChat.decode(reply, request, 'm').toolCalls[0]!
    log('4', text, '->', got.arguments, JSON.stringify(parseArguments(text)), JSON.stringify(parseArguments(got.arguments)))
  }
})

const ask = (c: string): LMRequest => ({ messages: [user(c)] })
const openaiReply = (r: any, body: unknown = ok) => { r.setHeader('content-type', 'application/json'); r.end(JSON.stringify(body)) }
const race = <T>(p: Promise<T>, ms: number) => Promise.race([p.then((v) => ['resolved', v] as const, (e) => ['rejected', e?.name, e?.code, e?.message] as const), new Promise((r) => setTimeout(() => r('STILL PENDING after ' + ms), ms))])

test('10 sign hangs', async () => {
  const server = await serve((r) => openaiReply(r))
  const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', sign: () => new Promise(() => {}), deadlines: { firstByteMs: 100, connectMs: 100 } })
  const c = new AbortController()
  const p = lm.generate(ask('x'), { signal: c.signal })
  setTimeout(() => c.abort(), 50)
  log('10 sign hang', await race(p, 1000))
  const lm2 = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', sign: () => { throw new Error('expired sso') } })
  log('10b sign throws', await race(lm2.generate(ask('x')), 1000))
  const lm3 = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', apiKey: 'sk-plain-123456', sign: () => ({ Authorization: 'Signed abcdefgh12' }) })
  log('10c header case', await race(lm3.generate(ask('x')), 1000), server.received.at(-1)?.headers.authorization)
  const lm4 = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', retries: 0, sign: () => ({ authorization: 'Bearer my-secret\u0001key-12345' }) })
  const e: any = await lm4.generate(ask('x')).catch((e) => e)
  log('10d secret in cause', e.code, e.retryable, e.message, '| cause:', e.cause?.message)
})
test('11 encode throws', async () => {
  const lm = createLM({ wire: openaiChat, baseURL: 'http://127.0.0.1:1', model: 'm' })
  const loop: any = {}; loop.loop = loop
  log('11', await race(lm.generate({ ...ask('x'), providerOptions: { loop } }), 500), await race(lm.generate({ ...ask('x'), providerOptions: { n: 1n } as any }), 500))
})
test('12 decodeError throws', async () => {
  const server = await serve((r) => { r.statusCode = 401; openaiReply(r, { weird: 1 }) })
  const wire = { name: 'mine', path: '/x', encode: () => ({}), decode: () => ({ text: '', toolCalls: [] }), decodeError: (b: any) => ({ message: b.error.message }) }
  log('12', await race(createLM({ wire, baseURL: server.baseURL, model: 'm' }).generate(ask('x')), 1000))
})
test('13 cache abort with buffered', async () => {
  const lm: LM = { generate: async () => ({ text: 'x', toolCalls: [] }), async *stream() { for (let i = 0; i < 5; i++) yield { type: 'text', text: String(i) } as LMDelta; yield { type: 'finish', finish: 'stop' } } }
  const cached = withCache(lm)
  for (const round of [1, 2]) {
    const c = new AbortController()
    const got: string[] = []
    let err: any
    try { for await (const d of cached.stream(ask('x'), { signal: c.signal })) { got.push(d.type); if (round === 1 && got.length === 1) await new Promise((r) => setTimeout(r, 20)); c.abort() } } catch (e) { err = e }
    log('13 round', round, got.join(), err?.code)
  }
})
test('14 cache refusal', async () => {
  let n = 0
  const lm: LM = { generate: async () => ({ text: '', toolCalls: [], refusal: 'no', finish: 'stop', n: ++n }) as any }
  const cached = withCache(lm)
  await cached.generate(ask('x')); await cached.generate(ask('x'))
  log('14 asked', n)
})
test('15 cache/ratelimit live request', async () => {
  const sent: string[] = []
  const lm: LM = { generate: async (r) => { sent.push(r.messages.map((m) => m.content).join()); return { text: 'answer to ' + r.messages.at(-1)!.content, toolCalls: [], finish: 'stop' } } }
  const cached = withCache(lm)
  const messages = [user('one')]
  const p = cached.generate({ messages }); messages.push(user('two')); await p
  log('15', sent, (await cached.generate(ask('one'))).text, sent)
  const limited = withRateLimit(lm, { concurrency: 1 })
  const m2 = [user('one')]; const q = limited.generate({ messages: m2 }); m2.push(user('two')); await q
  log('15b', sent.at(-1))
})
test('16 shared mutable', async () => {
  const lm: LM = { generate: async () => ({ text: 'x', toolCalls: [{ id: 'a', name: 'n', arguments: '{}' }], finish: 'tool-calls', raw: { a: 1 } }) }
  const cached = withCache(lm)
  const one: any = await cached.generate(ask('x')); one.toolCalls.length = 0; one.raw.a = 2
  log('16', JSON.stringify(await cached.generate(ask('x'))))
})
test('17 fallback on response.error / error delta', async () => {
  const bad: LM = { generate: async () => ({ text: '', toolCalls: [], error: { message: 'overloaded' }, finish: 'error' }), async *stream() { yield { type: 'error', error: { message: 'overloaded' } } as LMDelta; yield { type: 'finish', finish: 'error' } } }
  const good: LM = { generate: async () => ({ text: 'good', toolCalls: [], finish: 'stop' }) }
  const lm = withFallback([bad, good])
  log('17', JSON.stringify(await lm.generate(ask('x'))))
  const d: any[] = []; for await (const x of lm.stream(ask('x'))) d.push(x)
  log('17s', JSON.stringify(d))
})
test('18 keep-alive after DONE', async () => {
  const sockets = new Set<unknown>()
  const server = await serve((r) => { sockets.add((r as any).socket); r.setHeader('content-type', 'text/event-stream'); r.write('data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'); r.write('data: [DONE]\n\n'); setTimeout(() => r.end(), 20) })
  const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' })
  for (let i = 0; i < 5; i++) { for await (const _ of lm.stream(ask('x'))); await new Promise((r) => setTimeout(r, 50)) }
  log('18 sockets for 5 streams:', sockets.size)
  const s2 = new Set<unknown>()
  const server2 = await serve((r) => { s2.add((r as any).socket); r.setHeader('content-type', 'text/event-stream'); r.write('data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'); r.end('data: [DONE]\n\n') })
  const lm2 = createLM({ wire: openaiChat, baseURL: server2.baseURL, model: 'm' })
  for (let i = 0; i < 5; i++) { for await (const _ of lm2.stream(ask('x'))); await new Promise((r) => setTimeout(r, 50)) }
  log('18b sockets (end together):', s2.size)
})
test('19 fromAISDK abort', async () => {
  const model = { specificationVersion: 'v3' as const, provider: 'p', modelId: 'm', doGenerate: () => new Promise(() => {}), doStream: async () => ({ stream: new ReadableStream({}) }) }
  const lm = fromAISDK(model as any)
  const c = new AbortController(); setTimeout(() => c.abort(), 20)
  log('19 generate', await race(lm.generate(ask('x'), { signal: c.signal }), 500))
  const it = lm.stream(ask('x'), { signal: c.signal })
  log('19 stream pre-aborted', await race(it.next(), 500))
  const c2 = new AbortController(); setTimeout(() => c2.abort(), 20)
  log('19 stream', await race(lm.stream(ask('x'), { signal: c2.signal }).next(), 500))
})
test('20 after finish, broken/silent', async () => {
  const server = await serve((r) => { r.setHeader('content-type', 'text/event-stream'); r.write('data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'); if (server.received.length > 1) setTimeout(() => r.destroy(), 20) })
  const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', deadlines: { silenceMs: 200 } })
  for (const _ of [1, 2]) { const d: any[] = []; let e: any; try { for await (const x of lm.stream(ask('x'))) d.push(x.type) } catch (x) { e = x } log('20', d.join(), e?.code, e?.message) }
})
test('21 sigv4', async () => {
  let seen: any
  const fetchSpy = (async (url: string, init: any) => { seen = { url, init }; return new Response(JSON.stringify({ output: { message: { role: 'assistant', content: [{ text: 'x' }] } }, stopReason: 'end_turn' }), { headers: { 'content-type': 'application/json' } }) }) as any
  for (const model of ['anthropic.claude-3-5-sonnet-20240620-v1:0', 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude', "it's(a)*model!"]) {
    const lm = bedrock({ model, region: 'us-east-1', credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', sessionToken: 'TOKENTOKENTOKEN' }, fetch: fetchSpy, headers: { 'x-b': 'a  b', Range: 'x' } })
    await lm.generate(ask('hé'))
    const { url, init } = seen
    const h = init.headers; const u = new URL(url)
    const m = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(h.authorization)!
    const names = m[2]!.split(';')
    const enc = (t: string) => encodeURIComponent(t).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase())
    const canonPath = u.pathname.split('/').map(enc).join('/')
    const canon = ['POST', canonPath, '', ...names.map((n) => `${n}:${n === 'host' ? u.host : String(h[n]).trim().replace(/ +/g, ' ')}`), '', m[2], createHash('sha256').update(init.body).digest('hex')].join('\n')
    const date = h['x-amz-date']; const scope = `${date.slice(0, 8)}/us-east-1/bedrock/aws4_request`
    const sts = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canon).digest('hex')].join('\n')
    const hm = (k: any, d: string) => createHmac('sha256', k).update(d).digest()
    const sig = createHmac('sha256', hm(hm(hm(hm('AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', date.slice(0, 8)), 'us-east-1'), 'bedrock'), 'aws4_request')).update(sts).digest('hex')
    log('21', url, sig === m[3], m[2])
  }
  log('21b', await race((async () => bedrock({ model: 'm', apiKey: 'k', baseURL: 'http://localhost:1' } as any))(), 100))
})
test('22 wrapper nesting retries', async () => {
  let n = 0
  const server = await serve((r) => { n++; r.statusCode = 503; r.setHeader('retry-after', '0'); openaiReply(r, {}) })
  const lm = withRetry(createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm' }))
  await lm.generate(ask('x')).catch(() => {})
  log('22 requests', n)
})
test('23 retry after abort in when()', async () => {
  const c = new AbortController()
  const t = Date.now()
  const lm = withRetry({ generate: async () => { throw new Error('x') } } as any, { when: () => { c.abort(); return true }, baseDelayMs: 800, random: () => 0.99 })
  log('23', await race(lm.generate(ask('x'), { signal: c.signal }), 5000), Date.now() - t)
})
test('24 hide concurrent', async () => {
  let i = 0
  const server = await serve((r, got) => { setTimeout(() => { r.statusCode = 400; openaiReply(r, { error: { message: 'bad token ' + got.headers.authorization } }) }, 60) })
  const lm = createLM({ wire: openaiChat, baseURL: server.baseURL, model: 'm', sign: () => ({ authorization: `Bearer one-time-secret-${++i}` }) })
  const all = await Promise.all([lm.generate(ask('a')).catch((e) => e.message), lm.generate(ask('b')).catch((e) => e.message)])
  log('24', all)
})
test('25 rate limit stream abandoned before first next / slot', async () => {
  const lm: LM = { generate: async () => ({ text: 'x', toolCalls: [] }), async *stream() { yield { type: 'text', text: 'a' } as LMDelta; await new Promise(() => {}) } }
  const limited = withRateLimit(lm, { concurrency: 1 })
  const c = new AbortController()
  const it = limited.stream(ask('x'), { signal: c.signal })
  await it.next()
  const pending = it.next(); c.abort()
  log('25 limited inner ignoring abort', await race(pending, 200), await race(limited.generate(ask('y')), 200))
})
