import { expect, it } from 'vitest'
import { mergeOptions } from './merge-options.ts'

it('merges options into a body, object by object', () => {
  const body = { model: 'm', config: { temperature: 0, stop: ['a'] } }
  expect(mergeOptions(body, { config: { stop: ['b', 'c'], topK: 3 }, extra: true })).toEqual({
    model: 'm',
    config: { temperature: 0, stop: ['b', 'c'], topK: 3 },
    extra: true,
  })
  expect(body.config.stop).toEqual(['a'])
})

it("replaces values that aren't objects on either side", () => {
  expect(mergeOptions({ a: { b: 1 }, c: 1 }, { a: 2, c: { d: 1 } })).toEqual({ a: 2, c: { d: 1 } })
})

it('adds tools to those of the body', () => {
  const body = { tools: [{ name: 'a' }], toolConfig: { tools: [{ name: 'b' }] } }
  const search = { type: 'web_search' }
  expect(mergeOptions(body, { tools: [search], toolConfig: { tools: [search] } })).toEqual({
    tools: [{ name: 'a' }, search],
    toolConfig: { tools: [{ name: 'b' }, search] },
  })
  expect(mergeOptions({}, { tools: [search] })).toEqual({ tools: [search] })
  expect(body.tools).toHaveLength(1)
})

it('removes a field if its option is undefined', () => {
  expect(JSON.stringify(mergeOptions({ a: 1, b: 2 }, { a: undefined }))).toBe('{"b":2}')
})

it('returns the same body if there are no options', () => {
  const body = { a: 1 }
  expect(mergeOptions(body, undefined)).toBe(body)
})

it("doesn't change a prototype", () => {
  const merged = mergeOptions({ a: {} }, JSON.parse('{"a":{"__proto__":{"evil":1}},"__proto__":{"evil":1}}'))
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  expect(JSON.stringify(merged)).toBe('{"a":{"__proto__":{"evil":1}},"__proto__":{"evil":1}}')
  expect((merged as { evil?: unknown }).evil).toBeUndefined()
})

it('stops at options that contain themselves', () => {
  const options: Record<string, unknown> = {}
  options.again = options
  const body: Record<string, unknown> = {}
  body.again = body
  let merged = mergeOptions(body, options)
  for (let level = 0; level <= 16; level++) {
    expect([merged === body, merged === options]).toEqual([false, false])
    merged = merged.again as typeof merged
  }
  expect(merged).toBe(options)
})
