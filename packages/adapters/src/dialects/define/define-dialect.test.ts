import { expect, it, vi } from 'vitest'
import { loose, type Marker } from '../engine/marker.ts'
import { jsonBlock } from '../families/json/json-block.ts'
import { lazyDialect } from './define-dialect.ts'
import type { DialectDefinition } from './definition.ts'
import { defineDialect } from './own-dialect.ts'

const define = (opens: readonly Marker[], rest: Partial<DialectDefinition> = {}) =>
  defineDialect({ name: 'twice', blocks: opens.map((open) => jsonBlock({ open })), formatCalls: () => '', ...rest })

it('refuses the same marker in two places, because only one of them would be found', () => {
  const message = 'The dialect "twice" uses "<b>" more than once'
  expect(() => define([['<a>', '<b>'], '<b>'])).toThrow(message)
  expect(() => define([loose('< b >'), '<b>'])).toThrow(message)
  expect(() => define(['<b>'], { reasoning: { open: '<b>', close: '</b>' } })).toThrow(message)
  expect(() => define(['<a>'], { ignored: '<b>', end: ['<c>', '<b>'] })).toThrow(message)
  expect(() => define([['<b>', '<b>', '<a>']])).not.toThrow()
})

it('makes a dialect of this package when it is used', () => {
  const make = vi.fn(() => ({ controlTokens: ['<eos>'], blocks: [jsonBlock({ open: '<a>' })], formatCalls: () => '' }))
  const dialect = lazyDialect({ name: 'lazy', models: [/lazy/] }, make)
  expect(dialect).toMatchObject({ name: 'lazy', models: [/lazy/] })
  expect(make).not.toHaveBeenCalled()
  expect(dialect.parse('<a>{"name": "b", "arguments": {}}').toolCalls).toHaveLength(1)
  expect(dialect.formatUserText('<eos>')).toBe('&#60;eos>')
  expect(make).toHaveBeenCalledOnce()
})
