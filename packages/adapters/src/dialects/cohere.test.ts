import { describe, expect, it } from 'vitest'
import { cohere } from './cohere.ts'

const ACTION = '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"x": 1}}]<|END_ACTION|>'
const CALL = { id: '0', name: 'f', arguments: '{"x": 1}' }

describe('an action', () => {
  it('is a call with its own id', () => {
    expect(cohere.parse(`<|START_RESPONSE|>Hi<|END_RESPONSE|>${ACTION}`)).toEqual({ text: 'Hi', toolCalls: [CALL] })
  })

  it('is in a code fence in older models', () => {
    const text = 'Plan: f.\nAction: ```json\n[{"tool_name": "f", "parameters": {"x": 1}}]\n```'
    expect(cohere.parse(text)).toEqual({ text: 'Plan: f.', toolCalls: [{ ...CALL, id: 'call_0' }] })
  })

  it("is dropped if it is malformed, and isn't text", () => {
    const text = '<|START_ACTION|>[not json<|END_ACTION|>'
    expect(cohere.parse(`a ${text}`)).toMatchObject({ text: 'a', toolCalls: [] })
  })

  it('is kept and tagged if it is truncated', () => {
    const text = '<|START_ACTION|>[{"tool_name": "f", "parameters": {"x": "y'
    expect(cohere.parse(text).toolCalls).toEqual([{ id: 'call_0', name: 'f', arguments: '{"x": "y"}', truncated: true }])
  })

  it('is ignored in closed reasoning', () => {
    const text = `<|START_THINKING|>a ${ACTION} b<|END_THINKING|>c`
    expect(cohere.parse(text)).toEqual({ text: 'c', reasoning: `a ${ACTION} b`, toolCalls: [] })
  })
})

describe('a citation', () => {
  it('is unwrapped in text and in reasoning', () => {
    const text =
      '<|START_THINKING|>a <co>b</co: 0:[1]> c<|END_THINKING|><|START_RESPONSE|>d <co: 0:[1]>e</co: 0:[1,2],1:[3]> f<|END_RESPONSE|>'
    expect(cohere.parse(text)).toEqual({ text: 'd e f', reasoning: 'a b c', toolCalls: [] })
  })

  it("doesn't hold back the reasoning after it", () => {
    const parser = cohere.streamParser()
    parser.push('<|START_THINKING|>a <co: 0:[1]>b')
    expect(parser.push(' c')).toEqual([{ type: 'reasoning', text: ' c' }])
  })

  it('is recognized only in its exact form', () => {
    const text = 'a <co x> <color> <co: 0, b> <co: 1'
    expect(cohere.parse(text).text).toBe(text)
  })
})

it('writes calls and results like the chat template', () => {
  const written = cohere.formatCall(CALL)
  expect(written.ok && cohere.parse(written.text).toolCalls).toEqual([CALL])
  expect(cohere.formatResult({ callId: '0', name: 'f', ok: false, text: '<|END_ACTION|>' })).toBe(
    '<|START_TOOL_RESULT|>[{"tool_call_id":"0","results":{"0":{"content":"&#60;|END_ACTION|>"}},"is_error":true}]<|END_TOOL_RESULT|>',
  )
})
