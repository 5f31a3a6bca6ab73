import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../protocol/collect.ts'
import type { LMDelta } from '../protocol/protocol.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import type { RequestTools } from './request-tools.ts'
import { RestoringDecoder, restoreCall } from './restore-calls.ts'

/** A tool that is renamed and has a renamed property, and a tool without changes. */
const renaming: ShapedTool = {
  name: 'weather.get',
  tool: { type: 'function', function: { name: 'weather_get', description: '', parameters: {} } },
  losses: [],
  strict: false,
  restores: true,
  restore: ({ unit_, ...args }) => (unit_ === undefined ? args : { ...args, unit: unit_ }),
}
const tools: RequestTools = {
  tools: [renaming],
  names: {
    toWire: (name) => name.replace('.', '_'),
    fromWire: (name) => (name === 'weather_get' ? 'weather.get' : name),
  },
  isOf: () => true,
  find: (name) => (name === 'weather_get' ? renaming : undefined),
}

describe('restoreCall', () => {
  it('restores the original name and arguments', () => {
    expect(restoreCall({ id: 'a', name: 'weather_get', arguments: '{"unit_":"c"}' }, tools)).toEqual({
      id: 'a',
      name: 'weather.get',
      arguments: '{"unit":"c"}',
    })
  })

  it("returns text that isn't a strict JSON object unchanged", () => {
    for (const text of ['{"unit_":"c"', '', 'null', '[1]', '{unit_: 1}'])
      expect(restoreCall({ id: 'a', name: 'weather_get', arguments: text }, tools).arguments).toBe(text)
  })

  it('returns text unchanged if JavaScript would change its numbers', () => {
    const text = '{"unit_":"c","id":12345678901234567890}'
    expect(restoreCall({ id: 'a', name: 'weather_get', arguments: text }, tools).arguments).toBe(text)
  })

  it('returns the same call if nothing changes', () => {
    const call = { id: 'a', name: 'search', arguments: '{"unit_":1}' }
    expect(restoreCall(call, tools)).toBe(call)
  })
})

describe('RestoringDecoder', () => {
  const decode = (deltas: readonly LMDelta[]) => {
    const decoder = new RestoringDecoder({ push: (event) => [event as LMDelta], end: () => [] }, tools)
    return [...deltas.flatMap((delta) => decoder.push(delta)), ...decoder.end()]
  }

  it('emits pieces as they arrive, and the complete restored text at the end', () => {
    const deltas = decode([
      { type: 'call_start', index: 0, id: 'a', name: 'weather_get' },
      { type: 'arguments', index: 0, text: '{"unit_":' },
      { type: 'arguments', index: 0, text: '"c"}' },
      { type: 'call_end', index: 0 },
    ])
    expect(deltas.filter(({ type }) => type === 'arguments')).toHaveLength(2)
    expect(collectDeltas(deltas).toolCalls).toEqual([{ id: 'a', name: 'weather.get', arguments: '{"unit":"c"}' }])
  })

  it('adds nothing if the text is unchanged', () => {
    const deltas: LMDelta[] = [
      { type: 'text', text: 'Hello' },
      { type: 'call_start', index: 0, id: 'a', name: 'search' },
      { type: 'arguments', index: 0, text: '{"unit_":1}' },
      { type: 'call_end', index: 0 },
    ]
    expect(decode(deltas)).toEqual(deltas)
  })

  it('pitfall 1: changes the finish reason stop to tool-calls for a reply with calls', () => {
    const call: LMDelta = { type: 'call_start', index: 0, id: 'a', name: 'search' }
    const stop: LMDelta = { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop' }
    expect(decode([call, stop]).at(-1)).toEqual({ type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'stop' })
    expect(decode([stop])).toEqual([stop])
    const cut: LMDelta = { type: 'finish', finishReason: 'length' }
    expect(decode([call, cut]).at(-1)).toEqual(cut)
  })

  it('pitfall 11: changes the finish reason stop to error after an error, and marks the last call as truncated', () => {
    const error: LMDelta = { type: 'error', error: { message: 'Gone.' } }
    const calls = [0, 1].map((index): LMDelta => ({ type: 'call_start', index, id: `${index}`, name: 'search' }))
    const ends = [0, 1].map((index): LMDelta => ({ type: 'call_end', index }))
    const stop: LMDelta = { type: 'finish', finishReason: 'stop' }
    for (const deltas of [
      [...calls, error, ...ends, stop],
      [...calls, stop, error, ...ends],
    ]) {
      const { finishReason, toolCalls } = collectDeltas(decode(deltas))
      expect(finishReason).toBe('error')
      expect(toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
    }
    expect(collectDeltas(decode([error, { type: 'finish', finishReason: 'length' }])).finishReason).toBe('length')
  })

  it('restores text that the provider corrected at the end', () => {
    const deltas = decode([
      { type: 'call_start', index: 0, id: 'a', name: 'weather_get' },
      { type: 'call_end', index: 0, arguments: '{"unit_":"f"}' },
    ])
    expect(collectDeltas(deltas).toolCalls[0]?.arguments).toBe('{"unit":"f"}')
  })
})
