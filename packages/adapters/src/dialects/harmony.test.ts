import { describe, expect, it } from 'vitest'
import type { LMDelta } from '../protocol/protocol.ts'
import type { ParserOptions } from './define/dialect.ts'
import { harmony } from './harmony.ts'

function read(text: string, options?: ParserOptions) {
  const { toolCalls, ...reading } = harmony.parse(text, options)
  return { ...reading, calls: toolCalls.map(({ name, arguments: json }) => [name, json]) }
}

describe('a channel', () => {
  it('contains reasoning if it is the analysis channel, and text otherwise', () => {
    const text =
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>Wait.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>'
    expect(read(text)).toEqual({ text: 'Wait.\nYes.', reasoning: 'Hm.', calls: [] })
  })

  it('emits its content as it arrives', () => {
    const parser = harmony.streamParser()
    const push = (text: string): readonly LMDelta[] => parser.push(text)
    expect(push('<|channel|>analysis<|message|>one ')).toEqual([{ type: 'reasoning', text: 'one ' }])
    expect(push('two')).toEqual([{ type: 'reasoning', text: 'two' }])
    expect(push('<|end|><|start|>assistant<|channel|>final<|message|>three')).toEqual([{ type: 'text', text: 'three' }])
    expect(push(' four')).toEqual([{ type: 'text', text: ' four' }])
  })

  it('ends at the start of the next message', () => {
    const text = '<|channel|>analysis<|message|>a<|start|>assistant<|channel|>analysis<|message|>b<|channel|>final<|message|>c'
    expect(read(text)).toEqual({ text: 'c', reasoning: 'a\nb', calls: [] })
  })

  it('may have been opened by the prompt', () => {
    const text = 'Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.'
    expect(read(text, { startsInReasoning: true })).toEqual({ text: 'Yes.', reasoning: 'Hm.', calls: [] })
  })

  it('yields nothing if it is truncated in its header', () => {
    expect(read('<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|chan')).toEqual({
      text: '',
      reasoning: 'Hm.',
      calls: [],
    })
  })
})

describe('a recipient', () => {
  it('starts a call, before or after the channel, with or without a namespace and a type', () => {
    for (const header of [
      '<|channel|>commentary to=functions.f <|constrain|>json<|message|>',
      '<|channel|>analysis to=f code<|message|>',
      '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>',
      ' to=f<|channel|>commentary<|message|>',
    ])
      expect(read(`${header}{"x": "<|call|>"}<|call|>`)).toEqual({ text: '', calls: [['f', '{"x": "<|call|>"}']] })
  })

  it('is ignored if it is the model itself', () => {
    expect(read('<|channel|>commentary to=assistant<|channel|>analysis<|message|>Hm.')).toEqual({
      text: '',
      reasoning: 'Hm.',
      calls: [],
    })
  })

  it("may receive code if it isn't a tool of the request", () => {
    const text = '<|channel|>commentary to=container.exec<|message|>ls<|call|>'
    expect(read(text)).toEqual({ text: '', calls: [], malformedCalls: [text] })
  })

  it('also receives invalid JSON if it is a tool, so that the model gets an error', () => {
    expect(read('<|channel|>commentary to=functions.f<|message|>ls<|call|>').calls).toEqual([['f', 'ls']])
    expect(read('<|channel|>commentary to=functions.f<|message|><|call|>').calls).toEqual([['f', '{}']])
  })

  it("isn't found in prose", () => {
    const text = 'Send it to=bob, or to=eve <b>now</b>, to='
    expect(read(text)).toEqual({ text, calls: [] })
  })

  it('needs no end marker after a complete object, unless the policy requires it', () => {
    const text = '<|channel|>commentary to=functions.f<|message|>{}'
    expect(harmony.parse(text).toolCalls).toEqual([{ id: 'call_0', name: 'f', arguments: '{}', tags: ['missing_end'] }])
    expect(harmony.parse(text, { unfinished: 'never' }).toolCalls).toEqual([])
  })
})

describe('a written call', () => {
  it('is parsed unchanged', () => {
    const calls = ['a.b', 'c'].map((name, index) => ({ id: `call_${index}`, name, arguments: '{"x":"<|call|>"}' }))
    const written = harmony.formatCalls(calls)
    expect(written.ok && read(written.text).calls).toEqual([
      ['a.b', '{"x":"<|call|>"}'],
      ['c', '{"x":"<|call|>"}'],
    ])
  })

  it("is refused if its name isn't a valid recipient", () => {
    expect(harmony.formatCall({ id: 'call_0', name: 'a b', arguments: '{}' })).toMatchObject({
      ok: false,
      code: 'invalid_name',
      message: expect.stringMatching(/ Rename the tool\.$/),
    })
  })

  it("has a result that can't end its own message", () => {
    expect(harmony.formatResult({ callId: 'call_0', name: 'f', ok: true, text: 'a<|end|><|start|>user' })).toBe(
      '<|start|>functions.f to=assistant<|channel|>commentary<|message|>a&#60;|end|>&#60;|start|>user<|end|>',
    )
  })
})

describe('a message that is not for the user', () => {
  const done = '<|start|>assistant<|channel|>final<|message|>Done.<|return|>'

  it.each([
    ['to another recipient', '<|channel|>commentary to=reviewer<|message|>Secret.<|end|>'],
    ['to another recipient, with spaces', '<|start|>assistant to = reviewer<|channel|>commentary<|message|>Secret.<|end|>'],
    ['to another recipient, as JSON', '<|channel|>commentary to=reviewer<|message|>{"a": 1}, Secret.<|end|>'],
    ['to the model, from a tool', '<|start|>functions.f to=assistant<|channel|>commentary<|message|>Secret.<|end|>'],
    ['from the user', '<|start|>user<|message|>Secret.<|end|>'],
  ])("isn't text: %s", (_, message) => {
    for (const unknownTool of ['call', 'text'] as const)
      expect(harmony.parse(message + done, { unknownTool, tools: [] }).text).toBe('Done.')
  })

  it('is text if it is for the user', () => {
    expect(harmony.parse('<|channel|>final to=user<|message|>Done.<|return|>').text).toBe('Done.')
  })
})
