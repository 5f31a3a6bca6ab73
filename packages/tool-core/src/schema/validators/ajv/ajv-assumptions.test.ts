/** What each correction of AJV assumes about AJV. If a test fails after an upgrade of AJV, it names the correction to repair or remove. */
import { createRequire } from 'node:module'
import type * as Module from 'ajv'
import type * as Compile from 'ajv/dist/compile/index.js'
import type * as Codes from 'ajv/dist/vocabularies/code.js'
import { describe, expect, it, vi } from 'vitest'
import { SEEMS_TO_REFER } from '../deep-lists.ts'
import { replaceKeywords } from './ajv-keywords.ts'
import { escapeKeysOnce } from './ajv-paths.ts'
import { type CodeWords, checkRefsOnce } from './ajv-refs.ts'

const require = createRequire(import.meta.url)
const words = require('ajv') as Pick<typeof Module, 'Ajv'> & CodeWords
const { SchemaEnv, resolveRef } = require('ajv/dist/compile/index.js') as typeof Compile
const { callValidateCode } = require('ajv/dist/vocabularies/code.js') as typeof Codes

const LEVELS = 10
const take = () => {}
const create = () =>
  new words.Ajv({ strict: false, validateSchema: false, meta: false, ownProperties: true, code: { optimize: false } })

function nested(wrap: (inner: unknown) => unknown, inner: unknown): unknown {
  let value = inner
  for (let level = 0; level < LEVELS; level++) value = wrap(value)
  return value
}

describe('ajv-keywords', () => {
  const schema = { items: { const: { toString: 1 } } }
  const values = [{ toString: 1 }]

  it('corrects AJV, which throws for a member named toString and divides in binary', () => {
    expect(() => create().compile(schema)(values)).toThrow()
    expect(create().compile({ multipleOf: 0.01 })(19.99)).toBe(false)
  })

  it('replaces the keywords', () => {
    const ajv = create()
    replaceKeywords(ajv, [schema.items, { multipleOf: 0.01 }], words._, take)
    expect(ajv.compile(schema)(values)).toBe(true)
    expect(ajv.compile({ multipleOf: 0.01 })(19.99)).toBe(true)
  })
})

describe('ajv-refs', () => {
  const tree = { $ref: '#/$defs/tree' }
  const branch = { type: 'object', properties: { a: tree }, required: ['a'] }
  const schema = { $defs: { tree: { counted: true, anyOf: [{ type: 'boolean' }, branch, branch] } }, ...tree }
  const value = nested((a) => ({ a }), 1)

  function checksWith(prepare: (ajv: Module.Ajv) => void): number {
    const ajv = create()
    const validate = vi.fn(() => true)
    ajv.addKeyword({ keyword: 'counted', before: 'anyOf', validate })
    prepare(ajv)
    ajv.compile(schema)(value)
    return validate.mock.calls.length
  }

  it('corrects AJV, which checks a value again for each reference', () => {
    expect(checksWith(take)).toBeGreaterThanOrEqual(2 ** LEVELS)
  })

  it('replaces $ref', () => {
    const internals = { SchemaEnv, resolveRef, callValidateCode }
    expect(checksWith((ajv) => checkRefsOnce(ajv, internals, words, { byPlace: false, take }))).toBeLessThanOrEqual(LEVELS + 1)
  })
})

describe('ajv-paths', () => {
  const key = '~/'.repeat(100)
  const value = { [key]: Array(50).fill(1) }

  function escapesWith(prepare: (ajv: Module.Ajv) => void): number {
    const ajv = create()
    prepare(ajv)
    const validate = ajv.compile({ additionalProperties: { items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } })
    const replace = vi.spyOn(String.prototype, 'replace')
    try {
      expect(validate(value)).toBe(true)
      return replace.mock.contexts.filter((text) => String(text).length >= key.length).length
    } finally {
      replace.mockRestore()
    }
  }

  it('corrects AJV, which escapes a key again for each item below it', () => {
    expect(escapesWith(take)).toBeGreaterThanOrEqual(50)
  })

  it('replaces the paths of all keywords, for any key', () => {
    expect(escapesWith((ajv) => escapeKeysOnce(ajv, words))).toBeLessThan(10)
  })
})

describe('deep-lists', () => {
  function readsWith(mark: object): number {
    let reads = 0
    const leaf = Object.defineProperty({}, 'leaf', { enumerable: true, get: () => ++reads })
    create().compile({ $defs: { part: { ...mark, enum: nested((inner) => [inner], leaf) } }, $ref: '#/$defs/part' })
    return reads
  }

  it('corrects AJV, which reads the content of n nested lists 1.6^n times', () => {
    expect(readsWith({})).toBeGreaterThanOrEqual(1.6 ** LEVELS)
  })

  it("ends AJV's search for references at the mark", () => {
    expect(readsWith(SEEMS_TO_REFER)).toBeLessThan(10)
  })
})
