import { describe, expect, it } from 'vitest'
import type { ParserOptions } from './define/dialect.ts'
import { kimiK3 } from './kimi-k3.ts'

const OPEN = '<|open|>tools<|sep|>'
const END = '<|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>'

function argument(key: string, type: string, text: string): string {
  return `<|open|>argument key="${key}" type="${type}"<|sep|>${text}<|close|>argument<|sep|>`
}

function call(name: string, body: string): string {
  return `${OPEN}<|open|>call tool="${name}" index="1"<|sep|>${body}${END}`
}

function read(text: string, options?: ParserOptions) {
  const { toolCalls, ...rest } = kimiK3.parse(text, options)
  return { ...rest, calls: toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)]) }
}

describe('the channels of Kimi K3', () => {
  it('contain reasoning, text and calls, and nothing after the message', () => {
    const text = `<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>Well.<|close|>response<|sep|>${call('now', '')}junk`
    expect(read(text)).toEqual({ text: 'Well.', reasoning: 'hm', calls: [['now', {}]] })
  })

  it('may have been opened by the prompt', () => {
    expect(read('Well.<|close|>response<|sep|>')).toEqual({ text: 'Well.', calls: [] })
    expect(read('hm<|close|>think<|sep|><|open|>response<|sep|>Well.', { startsInReasoning: true })).toEqual({
      text: 'Well.',
      reasoning: 'hm',
      calls: [],
    })
  })

  it('may have white space in their tags', () => {
    expect(read('<|open|> response <|sep|>Well.<|close|> response <|sep|>')).toEqual({ text: 'Well.', calls: [] })
  })

  it("aren't opened by an incomplete tag", () => {
    expect(read('Well.<|clo')).toEqual({ text: 'Well.<|clo', calls: [] })
    expect(read('<|open|>callback<|sep|>')).toEqual({ text: '<|open|>callback<|sep|>', calls: [] })
  })
})

describe('a call of Kimi K3', () => {
  it('has arguments of the types that it states, and text if a type is wrong', () => {
    const body = [
      argument('a', 'number', '1'),
      argument('b', 'string', ' 1 '),
      argument('c', 'array', '["x"]'),
      argument('d', 'number', 'one'),
    ]
    expect(read(call('f', body.join(''))).calls).toEqual([['f', { a: 1, b: ' 1 ', c: ['x'], d: 'one' }]])
  })

  it('uses the schema if an argument states no type', () => {
    const properties = { a: { type: 'string' }, b: { type: 'integer' } }
    const parameters = { type: 'object', properties, additionalProperties: true }
    const tools = [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }]
    const body = ['a', 'b', 'c'].map((key) => argument(key, '', '1').replace(' type=""', ''))
    expect(read(call('f', body.join('')), { tools }).calls).toEqual([['f', { a: '1', b: 1, c: 1 }]])
  })

  it('may have one JSON body', () => {
    const body = '<|open|>json type="object"<|sep|>{"a": "<|close|>json<|sep|>"}<|close|>json<|sep|>'
    expect(read(call('f', body)).calls).toEqual([['f', { a: '<|close|>json<|sep|>' }]])
  })

  it('has attributes with character references and any other characters', () => {
    expect(read(call('a&quot;b&amp;quot;<c', argument('k=&amp;', 'null', 'null'))).calls).toEqual([
      ['a"b&quot;<c', { 'k=&': null }],
    ])
  })

  it("is malformed without a name, and doesn't affect the next one", () => {
    const text = `${OPEN}<|open|>call index="1"<|sep|>${argument('a', 'number', '1')}<|close|>call<|sep|><|open|>call tool="f"<|sep|>${END}`
    expect(read(text)).toMatchObject({ text: '', calls: [['f', {}]], malformedCalls: [expect.stringContaining('index="1"')] })
  })

  it('may have stray text between its arguments, which is dropped', () => {
    const text = call('f', `so: ${argument('a', 'number', '1')} and`)
    expect(kimiK3.parse(text).toolCalls).toMatchObject([{ arguments: '{"a": 1}', tags: ['repaired'] }])
  })

  it('is malformed up to its end if an argument has no key', () => {
    const text = call('f', argument('a', 'number', '1').replace(' key="a"', ''))
    expect(read(text)).toEqual({ text: '', calls: [], malformedCalls: [text.slice(OPEN.length, text.indexOf('<|close|>tools'))] })
  })

  it("is dropped if the text ends inside it, and isn't text", () => {
    const text = call('f', argument('a', 'number', '1'))
    for (const length of [OPEN.length + 20, text.indexOf('<|close|>argument'), text.indexOf('<|close|>call')])
      expect(read(text.slice(0, length))).toMatchObject({ text: '', calls: [] })
  })

  it('is returned with the received arguments if the text ends inside it and the policy says so', () => {
    const text = call('f', argument('a', 'string', 'long text'))
    const [cut] = kimiK3.parse(text.slice(0, text.indexOf(' text') + 1), { unfinished: 'cut' }).toolCalls
    expect(cut).toMatchObject({ arguments: '{"a": "long "}', truncated: true })
  })

  it('may lack its end before the end of all calls', () => {
    const text = call('f', argument('a', 'number', '1')).replace('<|close|>call<|sep|>', '')
    expect(kimiK3.parse(text).toolCalls).toMatchObject([{ arguments: '{"a": 1}', tags: ['missing_end'] }])
  })

  it('emits strings as they arrive', () => {
    const parser = kimiK3.streamParser()
    parser.push(`${OPEN}<|open|>call tool="f"<|sep|><|open|>argument key="a" type="string"<|sep|>`)
    expect(parser.push('one <|clo')).toEqual([{ type: 'arguments', index: 0, text: 'one ' }])
  })
})

describe('a written call of Kimi K3', () => {
  it('has a JSON body if a string contains tags', () => {
    const args = { a: argument('b', 'string', 'c'), 'k<|sep|>': 1 }
    const written = kimiK3.formatCall({ id: '1', name: 'f', arguments: JSON.stringify(args) })
    expect(written.ok && read(written.text).calls).toEqual([['f', args]])
  })

  it('is refused if its name would end its tag', () => {
    for (const name of ['', 'a<|sep|>'])
      expect(kimiK3.formatCall({ id: '1', name, arguments: '{}' })).toMatchObject({ ok: false, code: 'invalid_name' })
  })
})

it('removes and tags text between arguments', () => {
  const argument = (key: string) => `<|open|>argument key="${key}" type="string"<|sep|>x<|close|>argument<|sep|>`
  const call = (between: string) => `<|open|>call tool="f"<|sep|>${argument('a')}${between}${argument('b')}<|close|>call<|sep|>`
  const read = (between: string) => kimiK3.parse(call(between)).toolCalls.map(({ arguments: json, tags }) => [json, tags])
  expect(read('')).toEqual([['{"a": "x", "b": "x"}', undefined]])
  expect(read(' and ')).toEqual([['{"a": "x", "b": "x"}', ['repaired']]])
})
