/** Compares the tables of docs/providers.md with the wire formats. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type TestWire, WIRES } from '../../test/testing/wires.ts'
import { type ContentPart, type LMRequest, type Message, type ToolMessage, toContent } from '../index.ts'
import type { Loss } from '../shaping/loss.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import * as exported from './index.ts'

const [search, fetch] = ['search', 'fetch'].map((name) =>
  toSpec(defineTool({ name, description: 'A tool.', args: Type.Object({ q: Type.String() }), execute: () => [] })),
) as [NonNullable<LMRequest['tools']>[number], NonNullable<LMRequest['tools']>[number]]
const tools = [search, fetch]
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const user: Message = { role: 'user', content: 'Hello' }
const base64 = { base64: 'AAAA' }
const url = { url: 'https://a.example/b' }
const image = (source: typeof base64 | typeof url): ContentPart => ({ type: 'image', mediaType: 'image/png', source })
const file = (mediaType: string, source: typeof base64 | typeof url): ContentPart => ({ type: 'file', mediaType, source })
const said = (part: ContentPart) => ({ messages: [{ role: 'user' as const, ...toContent([part]) }] })
const result = (rest: Pick<ToolMessage, 'content' | 'parts' | 'isError'>, text = '{}'): Partial<LMRequest> => ({
  tools,
  messages: [
    user,
    { role: 'assistant', content: '', toolCalls: [{ id: 'EscTeQY62', name: 'search', arguments: text }] },
    { role: 'tool', callId: 'EscTeQY62', name: 'search', ...rest },
  ],
})
const answered = (isError: boolean) => result({ content: 'No.', isError })
const called = (text: string) => result({ content: 'Done.' }, text)

/** For each row, a request and the path that must not be reported as lost. */
const ROWS: Readonly<Record<string, readonly [request: Partial<LMRequest>, path: string]>> = {
  temperature: [{ settings: { temperature: 0.5 } }, '/settings'],
  topP: [{ settings: { topP: 0.5 } }, '/settings'],
  topK: [{ settings: { topK: 5 } }, '/settings'],
  maxOutputTokens: [{ settings: { maxOutputTokens: 5 } }, '/settings'],
  stop: [{ settings: { stop: ['x'] } }, '/settings'],
  seed: [{ settings: { seed: 5 } }, '/settings'],
  presencePenalty: [{ settings: { presencePenalty: 0.5 } }, '/settings'],
  frequencyPenalty: [{ settings: { frequencyPenalty: 0.5 } }, '/settings'],
  'tool choice `none`': [{ tools, toolChoice: 'none' }, '/toolChoice'],
  'tool choice `required`': [{ tools, toolChoice: 'required' }, '/toolChoice'],
  'tool choice by name': [{ tools, toolChoice: { name: 'fetch' } }, '/toolChoice'],
  'one call at a time': [{ tools, parallelToolCalls: false }, '/parallelToolCalls'],
  'any JSON': [{ responseFormat: { type: 'json' } }, '/responseFormat'],
  'JSON by schema': [{ responseFormat: { type: 'json', schema } }, '/responseFormat'],
  'JSON with tools': [{ tools, responseFormat: { type: 'json', schema } }, '/responseFormat'],
  'image, base64': [said(image(base64)), '/messages'],
  'image, URL': [said(image(url)), '/messages'],
  'PDF, base64': [said(file('application/pdf', base64)), '/messages'],
  'PDF, URL': [said(file('application/pdf', url)), '/messages'],
  'audio, base64': [said(file('audio/wav', base64)), '/messages'],
  'image in a result': [result(toContent([image(base64)])), '/messages'],
  'error flag of a result': [answered(true), '/messages'],
  'reasoning of another provider': [
    { messages: [user, { role: 'assistant', content: 'Hi', reasoning: 'Hm.' }, user] },
    '/messages',
  ],
  'empty message': [{ messages: [user, { role: 'assistant', content: '' }, user] }, '/messages'],
  'integer beyond 2^53 in a call': [called('{"q": 9007199254740993}'), '/messages'],
}

const FRAMINGS = { sse: 'server-sent events', ndjson: 'NDJSON', 'aws-event-stream': 'AWS event stream' }

const path = fileURLToPath(new URL('../../../../docs/providers.md', import.meta.url))
const document = readFileSync(path, 'utf8')

describe('docs/providers.md', () => {
  it('contains the current tables of the wire formats (`pnpm unit wires-doc -u` writes them)', async () => {
    const written = [features(), replies()].reduce(withTable, document)
    await expect(written).toMatchFileSnapshot(path)
  })

  it('states the default output limit for Anthropic', () => {
    const { max_tokens } = anthropicMessages.encode({ messages: [user] }, 'claude-sonnet-4-6')
    expect(document).toContain(`Default of \`maxOutputTokens\`: ${max_tokens.toLocaleString('en')} tokens.`)
  })

  it('has a row for each wire format in "What each API accepts"', () => {
    const [, section = ''] = document.split('### What each API accepts')
    const apis = Array.from(section.matchAll(/^\| ([^|]+) \|/gm), ([, first = '']) => first).join(' ')
    const missing = WIRES.filter(({ wire }) => !apis.includes(`\`${wire.name}\``))
    expect(missing.map(({ wire }) => `Add a row that starts with \`${wire.name}\`, and says what its rules.ts says.`)).toEqual([])
  })

  it.each(WIRES)('states correctly whether $wire.name has an error flag for results', (wire) => {
    const [failed, succeeded] = [true, false].map((isError) => encode(wire, answered(isError)).body)
    expect(isLost(wire, answered(true), '/messages')).toBe(failed === succeeded)
  })
})

it('the README of the package lists each wire format and each host', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [list = ''] = /(?<=`@x\/adapters\/wire` exports:\n\n)(?:[- ] .*\n)+/.exec(readme) ?? []
  const names = Object.entries(exported).flatMap(([name, value]) => (WIRES.some(({ wire }) => wire === value) ? [name] : []))
  const missing = names.filter((name) => !list.includes(`\`${name}\``))
  expect(missing.map((name) => `Add \`${name}\` to the list under "Choose a provider" in packages/adapters/README.md.`)).toEqual(
    [],
  )
  const words = list.toLowerCase().replaceAll(/[^a-z]/g, '')
  expect(Object.keys(exported.openaiChatHosts).filter((host) => !words.includes(host.toLowerCase()))).toEqual([])
})

/** Returns the rows with the features of a request and the wire formats that support them. */
function features(): readonly string[] {
  const rows = Object.entries(ROWS).map(([feature, [request, lossPath]]) => [
    feature,
    ...WIRES.map((wire) => (isLost(wire, request, lossPath) ? 'no' : 'yes')),
  ])
  return toTable(
    ['feature', ...WIRES.map(({ wire }) => wire.name)],
    [['model', ...WIRES.map(({ model }) => `\`${model}\``)], ...rows],
  )
}

function replies(): readonly string[] {
  const rows = WIRES.map(({ wire, documented }) => [
    wire.name,
    FRAMINGS[wire.framing ?? 'sse'],
    documented.callIds,
    documented.strictTools,
    documented.goesBack,
  ])
  return toTable(['wire', 'framing', 'call ids', 'strict tools', 'sent back with a turn, besides text and calls'], rows)
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/** Replaces the table that has the same first cell. */
function withTable(text: string, table: readonly string[]): string {
  const start = text.indexOf(`\n${table[0]?.slice(0, table[0].indexOf('|', 1) + 1)}`) + 1
  const end = text.indexOf('\n\n', start)
  return text.slice(0, start) + table.join('\n') + text.slice(end)
}

/** True if a request loses the feature. A schema that is sent without strict mode isn't lost. */
function isLost(wire: TestWire, request: Partial<LMRequest>, lossPath: string): boolean {
  return encode(wire, request).losses.some((loss) => loss.path.startsWith(lossPath) && loss.keyword !== 'strict')
}

function encode({ wire, model }: TestWire, request: Partial<LMRequest>) {
  const losses: Loss[] = []
  // The table is about the APIs, and not every model takes every kind of file.
  const facts = { input: ['image', 'pdf', 'audio', 'video'] } as const
  const body = wire.encode({ messages: [user], ...request }, model, { facts, onLoss: (loss) => losses.push(loss) })
  return { body: JSON.stringify(body), losses }
}
