/** Tests the runner: wrong cases fail by id, right cases pass, and a suite that can't run has no result. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialect, hermes } from '@x/adapters/dialects'
import { openaiChat, type WireFormat } from '@x/adapters/wire'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestRunner } from '../../test/conformance/runner.ts'
import { defineDialectSuite } from './dialects/dialect-suite.ts'
import { defineWireSuite } from './wire/wire-suite.ts'

const { folder, writeCorpus, run, runJson } = createTestRunner()
afterAll(() => rmSync(folder, { recursive: true }))

const call = (id: string | undefined, city: string) => ({
  id,
  function: { name: 'get_weather', arguments: `{"city":"${city}"}` },
})
const message = {
  content: 'Let me look.',
  reasoning_content: 'Two.',
  refusal: 'No.',
  tool_calls: [call('a', 'Oslo'), call('', 'Rome')],
}
const usage = { prompt_tokens: 9, completion_tokens: 3 }
const body = { choices: [{ finish_reason: 'tool_calls', message }], usage }
const chunks = [{ choices: [{ delta: { content: 'Grüße 🌍' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }], usage }]
const oslo = { id: 'a', name: 'get_weather', arguments: { city: 'Oslo' } }
const rome = { id: null, name: 'get_weather', arguments: { city: 'Rome' } }
const expected = {
  text: 'Let me look.',
  reasoning: 'Two.',
  refusal: 'No.',
  finish: 'tool-calls',
  finish_reason: 'tool_calls',
  usage: { input_tokens: 9.0, output_tokens: 3 },
  tool_calls: [oslo, rome],
}
const wrongReplies: Record<string, object> = {
  text: { text: 'Let me look' },
  reasoning: { reasoning: '' },
  refusal: { refusal: '' },
  finish: { finish: 'stop' },
  finish_reason: { finish_reason: 'stop' },
  usage: { usage: { input_tokens: null, output_tokens: 3 } },
  error: { error: { type: 'api_error' } },
  count: { tool_calls: [oslo] },
  id: { tool_calls: [{ ...oslo, id: 'b' }, rome] },
  name: { tool_calls: [{ ...oslo, name: 'get_wether' }, rome] },
  arguments: { tool_calls: [{ ...oslo, arguments: { city: 'Oslo', unit: 'C' } }, rome] },
  truncated: { tool_calls: [oslo, { ...rome, truncated: true }] },
  item_id: { tool_calls: [{ ...oslo, item_id: 'item_1' }, rome] },
  tool_plan: { tool_plan: 'First Oslo.' },
  'an unknown key': { surprise: 1 },
}

describe('the suite wire', () => {
  const right = { id: 'right', dialect: 'openai-chat', body, expected }
  const stream = { id: 'stream', dialect: 'openai-chat', chunks, expected: { text: 'Grüße 🌍', finish: 'stop' } }
  const foreign = { id: 'foreign', dialect: 'smoke-signals', body: {}, expected: { text: 'Fire' } }
  const raw = {
    id: 'raw-right',
    framing: 'sse',
    events: 2,
    body: ': hello\r\n\r\ndata: {"a":"🌍"}\r\n\r\ndata: {}\r\n\r\ndata: [DONE]\r\n\r\n',
  }

  it('passes correct cases, and skips unsupported wire formats', async () => {
    const { code, report } = await runJson('wire', {
      'cases/openai-chat/right.json': right,
      'cases/openai-chat/stream.json': stream,
      'cases/smoke-signals/foreign.json': foreign,
      'raw/right.json': raw,
      'raw/lines.json': { id: 'raw-lines', framing: 'ndjson', events: 2, body: '{}\n{}\n' },
      'raw/foreign.json': { id: 'raw-foreign', framing: 'smoke', events: 2, body: 'oo' },
    })
    expect(report).toMatchObject({ suite: 'wire', passed: 4, failed: 0, skipped: 2, failures: [] })
    expect(report.metrics).toEqual({
      wires: {
        'openai-chat': { passed: 2, failed: 0, skipped: 0, rechunking_failures: 0 },
        'smoke-signals': { passed: 0, failed: 0, skipped: 1, rechunking_failures: 0 },
      },
      rechunking_failures: 0,
      raw: { passed: 2, failed: 0, skipped: 1, events: { 'raw-lines': [2], 'raw-right': [2] } },
    })
    expect(code).toBe(0)
  })

  it('fails each case with one wrong value, and no other', async () => {
    const wrong = Object.entries(wrongReplies).map(([id, part]) => ({ ...right, id, expected: { ...expected, ...part } }))
    wrong.push({ ...stream, id: 'streamed text', expected: { text: 'Grüße', finish: 'stop' } } as never)
    const files = Object.fromEntries([right, stream, ...wrong].map((one) => [`cases/openai-chat/${one.id}.json`, one]))
    const { code, report } = await runJson('wire', {
      ...files,
      'raw/1.json': raw,
      'raw/2.json': { ...raw, id: 'raw-wrong', events: 3 },
    })
    expect(report.failures.map(({ id }) => id).sort()).toEqual([...wrong.map(({ id }) => id), 'raw-wrong'].sort())
    expect(report).toMatchObject({ passed: 3, failed: wrong.length + 1 })
    expect(code).toBe(1)
  })

  it('fails a wire format whose streams read differently over HTTP, and one that throws', async () => {
    // The name that all events share isn't passed.
    const files = { 'cases/one/1.json': { ...stream, chunks: [{ _event: 'message' }], expected: { text: 'message' } } }
    const byName: WireFormat = {
      ...openaiChat,
      streamDecoder: () => ({
        push: (event) => [{ type: 'text', text: (event as { _event?: string })._event ?? '' }],
        end: () => [],
      }),
    }
    const different = await runJson('wire', files, [defineWireSuite([byName])])
    expect(different.report).toMatchObject({ passed: 0, failed: 1, metrics: { rechunking_failures: 1 } })
    const throwing: WireFormat = {
      ...openaiChat,
      streamDecoder() {
        throw new Error('no stream today')
      },
    }
    const thrown = await runJson('wire', files, [defineWireSuite([throwing])])
    expect(thrown.report.failures).toEqual([{ id: 'stream', why: 'threw Error: no stream today' }])
    expect([different.code, thrown.code]).toEqual([1, 1])
  })
})

describe('the suite dialects', () => {
  const block = '<tool_call>{"name":"get_weather","arguments":{"degrees":3.0}}</tool_call>'
  const reading = { content: 'Hello', tool_calls: [{ name: 'get_weather', arguments: { degrees: 3 } }] }
  const right = { id: 'right', text: ` Hello ${block}`, expected: reading, checked: ['content', 'name', 'arguments', 'count'] }
  const cases = [
    right,
    { ...right, id: 'alternative', expected: { content: 'Hi', tool_calls: [] }, alternatives: [reading] },
    { ...right, id: 'advisory', expected: { ...reading, content: 'Hi' }, checked: ['count'] },
    { ...right, id: 'empty', text: block, expected: { ...reading, content: null } },
  ]
  const vacuous = { ...right, id: 'vacuous', expected: { content: 'Anything', tool_calls: [] }, checked: [] }

  it('passes correct cases, and counts vacuous cases, unsupported dialects and big numbers separately', async () => {
    const bigNumber = { ...right, id: 'number', tags: ['big_int'] }
    const files = { 'hermes.json': [...cases, vacuous, bigNumber], 'smoke.json': [{ ...right, id: 'smoke/1' }] }
    const { code, report } = await runJson('dialects', files)
    expect(report).toMatchObject({ suite: 'dialects', passed: 4, failed: 0, skipped: 2, failures: [] })
    const hermes = { passed: 4, failed: 0, streamed: { passed: 4, failed: 0 }, vacuous: 1, skipped: 1 }
    expect(report.metrics).toMatchObject({ dialects: { hermes, smoke: { passed: 0, skipped: 1 } }, vacuous: 1 })
    expect(code).toBe(0)
  })

  it('fails each case with one wrong value, and no other', async () => {
    const [only] = reading.tool_calls
    const wrong = {
      content: { ...reading, content: 'Hello!' },
      count: { ...reading, tool_calls: [] },
      name: { ...reading, tool_calls: [{ ...only, name: 'get_wether' }] },
      arguments: { ...reading, tool_calls: [{ ...only, arguments: { degrees: 4 } }] },
    }
    const wrongCases = Object.entries(wrong).map(([part, value]) => ({ ...right, id: part, expected: value, checked: [part] }))
    const { code, report } = await runJson('dialects', {
      'hermes.json': [...cases, ...wrongCases, { ...right, id: 'unknown', checked: ['tone'] }],
    })
    expect(report.failures.map(({ id }) => id)).toEqual(['content', 'count', 'name', 'arguments', 'unknown'])
    expect(report).toMatchObject({
      passed: 4,
      failed: 5,
      metrics: { dialects: { hermes: { streamed: { passed: 4, failed: 5 } } } },
    })
    expect(code).toBe(1)
  })

  it('fails a dialect whose reading depends on chunk boundaries, and one that throws', async () => {
    const echo = (push: (text: string) => string): Dialect => ({
      ...plainDialect,
      parse: (text) => ({ text: push(text), toolCalls: [] }),
      streamParser: () => ({ push: (text) => [{ type: 'text', text: push(text) }], end: () => [] }),
    })
    const asserting = {
      id: 'asserting',
      text: 'Hello',
      chunks: ['Hel', 'lo'],
      expected: { content: 'Hello' },
      checked: ['content'],
    }
    const files = { 'plain.json': [asserting, { ...asserting, id: 'vacuous', checked: [] }] }
    const trimming = await runJson('dialects', files, [
      defineDialectSuite([echo((text) => text.slice(0, 5).replace(/^lo$/, ''))]),
    ])
    expect(trimming.report.failures).toEqual([
      { id: 'asserting', why: 'streamed: its own chunks reads differently' },
      { id: 'vacuous', why: 'streamed: its own chunks reads differently' },
    ])
    expect(trimming.report.metrics).toMatchObject({
      dialects: { plain: { passed: 1, failed: 0, streamed: { passed: 0, failed: 2 } } },
    })
    const throwing = echo(() => {
      throw new Error('no text today')
    })
    const thrown = await runJson('dialects', files, [defineDialectSuite([throwing])])
    expect(thrown.report.failures.map(({ why }) => why)).toEqual(['threw Error: no text today', 'threw Error: no text today'])
    expect([trimming.code, thrown.code]).toEqual([1, 1])
  })
})

it('prints its usage', async () => {
  const { code, out, err } = await run(['--help'])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Suites: wire, shaping, dialects, bfcl, retrieval, json-schema, recovery.')
})

it('ends its text with the counts', async () => {
  const { code, out, err } = await run([
    'wire',
    '--corpus',
    writeCorpus({ 'cases/a/1.json': { id: 'one', dialect: 'openai-chat', body, expected: { text: 'x' } } }),
  ])
  expect(out.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
  expect(out).toContain('✗ one: text: expected "x", found "Let me look."')
  expect([code, err]).toEqual([1, ''])
})

it.each([
  ['no suite', [], 'Suites: wire, shaping, dialects, bfcl, retrieval, json-schema, recovery.'],
  ['an unknown suite', ['wir'], 'Did you mean "wire"?'],
  ['an unknown option', ['wire', '--corpas', folder], 'Did you mean "--corpus"?'],
  ['two suites', ['wire', 'dialects'], 'Unexpected arguments after the suite: "dialects"'],
  ['no folder after --corpus', ['wire', '--corpus'], '--corpus needs a directory.'],
  ['a folder that is not there', ['wire', '--json', '--corpus', join(folder, 'nowhere')], 'There is no wire case in'],
  ['a folder without a case', ['dialects', '--corpus', writeCorpus({ 'notes.txt': 'none' })], 'There is no dialect case in'],
  ['a file', ['dialects', '--corpus', import.meta.filename], 'There is no dialect case in'],
  [
    'a case without what it must have',
    ['wire', '--corpus', writeCorpus({ 'cases/a/1.json': { id: 'one' } })],
    'contains an item that is not a case',
  ],
  ['a file that is no list', ['dialects', '--corpus', writeCorpus({ 'hermes.json': {} })], 'There is no dialect case in'],
])('says on stderr that it cannot run, and exits with 2: %s', async (_, words, reason) => {
  const { code, out, err } = await run(words)
  expect(err).toContain(reason)
  expect([code, out]).toEqual([2, ''])
})

const plainDialect = {
  name: 'plain',
  policy: hermes.policy,
  formatTools: () => '',
  formatMoreTools: () => '',
  formatCall: () => ({ ok: true, text: '' }) as const,
  formatCalls: () => ({ ok: true, text: '' }) as const,
  formatResult: () => '',
  controlTokens: [],
  formatUserText: () => '',
}
