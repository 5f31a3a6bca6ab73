import { ProxyTracerProvider } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { defineSignature, Image } from '@x/adapters'
import { redactSecrets } from '@x/adapters/redact'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { createReactAgent } from '@x/react-agent'
import { defineTool, image, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { answer, call, collectTelemetry } from '../../test/telemetry.ts'
import type { TelemetryOptions } from '../options.ts'
import { traceLM } from '../spans/trace-lm.ts'
import { traceRun } from '../spans/trace-run.ts'
import { withTelemetry } from '../with-telemetry.ts'
import { Content } from './content.ts'

/** Every text that a run receives contains this marker. */
const look = defineTool({
  name: 'look',
  description: 'MARKER description.',
  args: Type.Object({ at: Type.String(), password: Type.Optional(Type.String()) }),
  context: Type.Object({ tenant: Type.String() }),
  needsApproval: true,
  execute: ({ at }, { progress }) => {
    progress('MARKER progress')
    if (at === 'nothing') throw new Error('MARKER error')
    return { seen: 'MARKER result', token: 'top-MARKER' }
  },
})

const SCRIPT: readonly ScriptedReply[] = [
  {
    text: 'MARKER thought',
    reasoning: 'MARKER reasoning',
    toolCalls: [call('look', { at: 'MARKER', password: 'MARKER-pass' }, 'c1')],
  },
  { toolCalls: [call('look', { at: 'nothing' }, 'c2'), call('look', '{"MARKER', 'c3')] },
  { text: 'MARKER answer', finishReason: 'stop' },
]

async function exportedOf(options: TelemetryOptions, script = SCRIPT, question = 'MARKER question') {
  const telemetry = collectTelemetry()
  const { tracer, meter } = telemetry
  const settings = { stop: ['MARKER stop'] }
  const agent = await createReactAgent({ lm: scriptedLM(script), tools: [look], signature: answer, stream: true, settings })
  const run = agent.run({ question }, { context: { tenant: 'TENANT' }, approve: () => true })
  await traceRun(run, { tracer, meter, ...options }).catch(() => undefined)
  return { ...telemetry, text: await telemetry.exported() }
}

describe('content', () => {
  it('T2-17: is not in any attribute, event, status or metric by default', async () => {
    const { text, spans } = await exportedOf({})
    expect(spans().length).toBeGreaterThanOrEqual(6)
    expect(text).not.toContain('MARKER')
  })

  it('is not in any attribute, event or status of a failure', async () => {
    const { text } = await exportedOf({}, [...SCRIPT.slice(0, 1), new Error('MARKER down')])
    expect(text).not.toContain('MARKER')
  })

  it('never contains run-scoped values', async () => {
    const { text } = await exportedOf({ content: true })
    expect(text).not.toContain('TENANT')
  })

  it('contains messages in the format of the conventions', async () => {
    const { span } = await exportedOf({ content: true })
    const { attributes } = span('chat')
    expect(JSON.parse(String(attributes['gen_ai.system_instructions']))).toEqual([
      { type: 'text', content: expect.stringContaining('Answer briefly.') },
    ])
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: expect.stringContaining('MARKER question') }] },
    ])
    expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toMatchObject([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'MARKER reasoning' },
          { type: 'text', content: 'MARKER thought' },
          { type: 'tool_call', id: 'c1', name: 'look', arguments: '{"at":"MARKER","password":"[redacted]"}' },
        ],
      },
    ])
  })

  it('T2-17: contains arguments and results without likely secrets', async () => {
    const { span, text } = await exportedOf({ content: true })
    const { attributes } = span('execute_tool look')
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"at":"MARKER","password":"[redacted]"}')
    expect(attributes['gen_ai.tool.call.result']).toBe('{"seen":"MARKER result","token":"[redacted]"}')
    expect(text).not.toContain('MARKER-pass')
    expect(text).not.toContain('top-MARKER')
  })

  describe('without values that a schema marks as `writeOnly`', () => {
    const card = Type.Object({ code: Type.String({ writeOnly: true }), of: Type.String() })
    const pay = defineTool({
      ...{ name: 'pay', description: 'Pays.', args: Type.Object({ card }), needsApproval: true },
      execute: () => 'Paid.',
    })
    const HIDDEN = '{"card":{"code":"[redacted]","of":"ada"}}'

    it.each([
      ['JSON', '{"card":{"code":"code-4111","of":"ada"}}', HIDDEN],
      [
        'JSON in JSON',
        JSON.stringify({ card: '{"code":"code-4111","of":"ada"}' }),
        String.raw`{"card":"{\"code\":\"[redacted]\",\"of\":\"ada\"}"}`,
      ],
      ['a key twice', '{"card":{"code":"code-4111"},"card":{"code":"code-4111","of":"ada"}}', HIDDEN],
      ['malformed', '{"card":{"code":"code-4111', '[omitted: not JSON]'],
      [
        'a long text',
        `{"card":{"code":"code-4111","of":"${'a'.repeat(20_000)}"}}`,
        expect.stringContaining('{"card":{"code":"[redacted]","of":"aaa'),
      ],
    ])('in calls whose arguments are %s', async (_, text, shown) => {
      const { tracer, meter, span, exported } = collectTelemetry()
      const script = [{ toolCalls: [{ ...call('pay'), arguments: text }] }, { text: 'Done.' }]
      const agent = await createReactAgent({ lm: scriptedLM(script), tools: [pay], signature: answer })
      await traceRun(agent.run({ question: '?' }, { approve: () => true }), { tracer, meter, content: true })
      const [message] = JSON.parse(String(span('chat').attributes['gen_ai.output.messages']))
      expect(message.parts[0].arguments).toEqual(shown)
      expect(await exported()).not.toContain('code-4111')
    })

    it('in arguments of a call that is approved later', async () => {
      const { tracer, meter, span, exported } = collectTelemetry()
      const lm = scriptedLM([{ toolCalls: [call('pay', { card: { code: 'code-4111', of: 'ada' } })] }, { text: 'Done.' }])
      const agent = withTelemetry(await createReactAgent({ lm, tools: [pay], signature: answer }), {
        tracer,
        meter,
        content: true,
      })
      const paused = await agent.run({ question: '?' }).then(
        () => expect.fail('not paused'),
        (error) => error.paused,
      )
      await agent.resume(paused, { id_pay: true })
      expect(span('execute_tool pay').attributes['gen_ai.tool.call.arguments']).toBe(HIDDEN)
      expect(await exported()).not.toContain('code-4111')
    })

    it('in calls of a model without an agent, to tools for the search of the provider', async () => {
      const { tracer, meter, exported } = collectTelemetry()
      const lm = traceLM(scriptedLM([{ toolCalls: [call('pay', { card: { code: 'code-4111', of: 'ada' } })] }]), {
        tracer,
        meter,
        content: true,
      })
      await lm.generate({ messages: [{ role: 'user', content: '?' }], search: { tools: [toSpec(pay)] } })
      expect(await exported()).toContain('[redacted]')
      expect(await exported()).not.toContain('code-4111')
    })

    it('in calls whose spans are recorded, although that of the request with the schema is not', async () => {
      const exporter = new InMemorySpanExporter()
      const { NOT_RECORD, RECORD_AND_SAMPLED } = SamplingDecision
      const sampler = {
        shouldSample: (_context: unknown, _traceId: string, name: string) => ({
          decision: name.startsWith('execute_tool') ? RECORD_AND_SAMPLED : NOT_RECORD,
        }),
      }
      const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] })
      const lm = scriptedLM([{ toolCalls: [call('pay', { card: { code: 'code-4111', of: 'ada' } })] }, { text: 'Done.' }])
      const agent = await createReactAgent({ lm, tools: [pay], signature: answer })
      const run = agent.run({ question: '?' }, { approve: () => true })
      await traceRun(run, { tracer: provider.getTracer('calls'), content: true })
      const shown = exporter.getFinishedSpans().map(({ attributes }) => attributes['gen_ai.tool.call.arguments'])
      expect(shown).toEqual([HIDDEN])
    })

    it('in arguments that are nested too deeply to be read', () => {
      const content = new Content(redactSecrets, 1_000)
      content.know('pay', pay.args)
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
      const toolCalls = [{ ...call('pay'), arguments: deep }]
      expect(content.ofResponse({ text: '', toolCalls })['gen_ai.output.messages']).toContain('[omitted: redaction failed]')
    })
  })

  it('contains earlier messages and results in a later request', async () => {
    const { spans } = await exportedOf({ content: true })
    const last = spans().filter(({ name }) => name === 'chat')[2]
    const messages = JSON.parse(String(last?.attributes['gen_ai.input.messages']))
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'tool'])
    expect(messages[2].parts).toEqual([
      { type: 'tool_call_response', id: 'c1', response: '{"seen":"MARKER result","token":"[redacted]"}' },
    ])
  })

  it('describes images, and never contains their data', async () => {
    const shot = image({ mediaType: 'image/png', base64: 'MARKERdata==' })
    const tool = defineTool({
      name: 'shoot',
      description: 'S.',
      args: Type.Object({}),
      execute: () => 1,
      toModelOutput: () => shot,
    })
    const signature = defineSignature({ instructions: 'Look.', inputs: { photo: Image() }, outputs: { answer: Type.String() } })
    const { tracer, meter, exported, span } = collectTelemetry()
    const lm = scriptedLM([{ toolCalls: [call('shoot', {}, 'c1')] }, { text: 'Seen.' }])
    const agent = await createReactAgent({ lm, tools: [tool], signature })
    await traceRun(agent.run({ photo: shot }), { tracer, meter, content: true })
    expect(await exported()).not.toContain('MARKERdata')
    expect(span('execute_tool shoot').attributes['gen_ai.tool.call.result']).toBe('[image/png]')
  })

  it('is redacted by a custom function', async () => {
    const { text } = await exportedOf({ content: true, redact: (words) => words.replaceAll('MARKER', 'xxx') })
    expect(text).not.toContain('MARKER')
    expect(text).toContain('xxx answer')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('MARKER')
      },
    ],
    ['returns no string', (() => undefined) as never],
  ])('is left out if the redaction %s, and the run continues', async (_, redact) => {
    const { text, span } = await exportedOf({ content: true, redact })
    expect(text).not.toContain('MARKER')
    expect(span('execute_tool look').attributes['gen_ai.tool.call.arguments']).toBe('[omitted: redaction failed]')
    expect(span('invoke_agent agent').attributes['x.run.termination']).toBe('finished')
  })

  it('is limited in length, prefers the newest messages, and reports how many were left out', async () => {
    const { spans } = await exportedOf({ content: true, maxContentLength: 60 }, SCRIPT, 'long '.repeat(10_000))
    const chats = spans().filter(({ name }) => name === 'chat')
    for (const { attributes } of spans()) {
      for (const value of Object.values(attributes)) expect(String(value).length).toBeLessThan(600)
    }
    const messages = JSON.parse(String(chats[2]?.attributes['gen_ai.input.messages']))
    expect(messages.at(-1).role).toBe('tool')
    expect(chats[2]?.attributes['x.content.omitted_messages']).toBe(6 - messages.length)
  })

  it('is truncated after the redaction, so that no part of a secret remains', async () => {
    for (let length = 1; length < 40; length++) {
      const { text } = await exportedOf(
        { content: true, maxContentLength: length },
        [{ text: 'ok' }],
        'say sk-MARKERMARKERMARKERMARKER',
      )
      expect(text).not.toContain('MARK')
    }
  })

  it.each([
    ['without an SDK', new ProxyTracerProvider()],
    ['for spans that are not sampled', new BasicTracerProvider({ sampler: new AlwaysOffSampler() })],
  ])('is neither read nor redacted %s', async (_, provider) => {
    const redact = vi.fn((text: string) => text)
    await exportedOf({ content: true, redact, tracer: provider.getTracer('off') })
    expect(redact).not.toHaveBeenCalled()
    await exportedOf({ content: true, redact })
    expect(redact).toHaveBeenCalled()
  })

  it('lacks the end of a long text, which may contain part of a secret', () => {
    const text = `Bearer ${'a'.repeat(1098)} sk-MARKERMARKERMARKERMARKER and more`
    const shown = new Content(redactSecrets, 100).ofResult(text)['gen_ai.tool.call.result']
    expect(shown).toBe('…')
    expect(new Content(redactSecrets, 200).ofResult(text)['gen_ai.tool.call.result']).not.toContain('MARK')
  })
})
