import { expect, it } from 'vitest'
import { deepFreeze } from './deep-freeze.ts'

it('freezes plain data at every depth, and returns it', () => {
  const inner = { list: [{ a: 1 }] }
  const value = { inner, none: null, bare: Object.assign(Object.create(null), { deep: {} }) }
  expect(deepFreeze(value)).toBe(value)
  for (const each of [value, inner, inner.list, inner.list[0], value.bare, value.bare.deep])
    expect(Object.isFrozen(each)).toBe(true)
})

it('terminates for circular values, and at any depth', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  let deep: object = {}
  const innermost = deep
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  deepFreeze([circle, deep])
  expect([Object.isFrozen(circle), Object.isFrozen(innermost)]).toEqual([true, true])
})

it('leaves instances unchanged, including bytes', () => {
  const bytes = new Uint8Array([1])
  const date = new Date(0)
  deepFreeze({ bytes, date })
  expect([Object.isFrozen(bytes), Object.isFrozen(date)]).toEqual([false, false])
})
