import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../protocol/collect.ts'
import type { LMDelta } from '../protocol/protocol.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import type { RequestTools } from './request-tools.ts'
import { RestoringDecoder, restoreCall } from './restore-calls.ts'

/** One tool whose `unit_` was `unit`, under a name of the wire, and one that is the same on both sides. */
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
  losses: [],
  names: {
    toWire: (name) => name.replace('.', '_'),
    fromWire: (name) => (name === 'weather_get' ? 'weather.get' : name),
  },
  isOf: () => true,
  find: (name) => (name === 'weather_get' ? renaming : undefined),
}

describe('restoreCall', () => {
  it("gives the tool's own name and args", () => {
    expect(restoreCall({ id: 'a', name: 'weather_get', arguments: '{"unit_":"c"}' }, tools)).toEqual({
      id: 'a',
      name: 'weather.get',
      arguments: '{"unit":"c"}',
    })
  })

  it('leaves a text that is no strict JSON object to those who repair it', () => {
    for (const text of ['{"unit_":"c"', '', 'null', '[1]', '{unit_: 1}'])
      expect(restoreCall({ id: 'a', name: 'weather_get', arguments: text }, tools).arguments).toBe(text)
  })

  it('leaves a text whose numbers JavaScript would shorten', () => {
    const text = '{"unit_":"c","id":12345678901234567890}'
    expect(restoreCall({ id: 'a', name: 'weather_get', arguments: text }, tools).arguments).toBe(text)
  })

  it('gives the same call where nothing changed', () => {
    const call = { id: 'a', name: 'search', arguments: '{"unit_":1}' }
    expect(restoreCall(call, tools)).toBe(call)
  })
})

describe('RestoringDecoder', () => {
  const decode = (deltas: readonly LMDelta[]) => {
    const decoder = new RestoringDecoder({ push: (event) => [event as LMDelta], end: () => [] }, tools)
    return [...deltas.flatMap((delta) => decoder.push(delta)), ...decoder.end()]
  }

  it('lets the pieces out as they come, and tells the whole text at the end', () => {
    const deltas = decode([
      { type: 'call_start', index: 0, id: 'a', name: 'weather_get' },
      { type: 'arguments', index: 0, text: '{"unit_":' },
      { type: 'arguments', index: 0, text: '"c"}' },
      { type: 'call_end', index: 0 },
    ])
    expect(deltas.filter(({ type }) => type === 'arguments')).toHaveLength(2)
    expect(collectDeltas(deltas).toolCalls).toEqual([{ id: 'a', name: 'weather.get', arguments: '{"unit":"c"}' }])
  })

  it('adds nothing where the text is as it was', () => {
    const deltas: LMDelta[] = [
      { type: 'text', text: 'Hello' },
      { type: 'call_start', index: 0, id: 'a', name: 'search' },
      { type: 'arguments', index: 0, text: '{"unit_":1}' },
      { type: 'call_end', index: 0 },
    ]
    expect(decode(deltas)).toEqual(deltas)
  })

  it('pitfall 1: a reply with calls that just stopped ended for its calls', () => {
    const call: LMDelta = { type: 'call_start', index: 0, id: 'a', name: 'search' }
    const stop: LMDelta = { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop' }
    expect(decode([call, stop]).at(-1)).toEqual({ type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'stop' })
    expect(decode([stop])).toEqual([stop])
    const cut: LMDelta = { type: 'finish', finishReason: 'length' }
    expect(decode([call, cut]).at(-1)).toEqual(cut)
  })

  it('pitfall 11: a reply with an error did not just stop, and its last call may be a part', () => {
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

  it('restores the text that the provider corrected at the end', () => {
    const deltas = decode([
      { type: 'call_start', index: 0, id: 'a', name: 'weather_get' },
      { type: 'call_end', index: 0, arguments: '{"unit_":"f"}' },
    ])
    expect(collectDeltas(deltas).toolCalls[0]?.arguments).toBe('{"unit":"f"}')
  })
})
