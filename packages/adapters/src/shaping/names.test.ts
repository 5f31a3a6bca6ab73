/** Tests the names of tools in requests: they are valid, unique, reversible, and stable while a list grows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { geminiRules } from '../wire/gemini/rules.ts'
import { openaiChatRules } from '../wire/openai-chat/rules.ts'
import { createNames } from './names.ts'
import type { NameRules } from './rules/tool-rules.ts'

const OPENAI = openaiChatRules.names
const isLegal = (name: string, { pattern, maxLength }: NameRules) => name.length <= maxLength && pattern.test(name)

describe('createNames', () => {
  it('keeps valid names', () => {
    const names = createNames(['get_weather', 'mcp-search'], OPENAI)
    expect(['get_weather', 'mcp-search'].map(names.toWire)).toEqual(['get_weather', 'mcp-search'])
  })

  it('replaces invalid characters, and restores the name', () => {
    const names = createNames(['version_api.VersionApi.get_version'], OPENAI)
    expect(names.toWire('version_api.VersionApi.get_version')).toBe('version_api_VersionApi_get_version')
    expect(names.fromWire('version_api_VersionApi_get_version')).toBe('version_api.VersionApi.get_version')
  })

  it('adds a hash to the second of two names that would become equal', () => {
    const names = createNames(['a.b', 'a_b', 'a/b'], OPENAI)
    expect(names.toWire('a.b')).toBe('a_b')
    expect(names.toWire('a_b')).toMatch(/^a_b_[0-9a-z]{7}$/)
    expect(names.toWire('a/b')).toMatch(/^a_b_[0-9a-z]{7}$/)
    expect(new Set(['a.b', 'a_b', 'a/b'].map(names.toWire)).size).toBe(3)
  })

  it('shortens a long name, and adds a hash of the whole name', () => {
    const [one, other] = [`${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`]
    const names = createNames([one, other], OPENAI)
    expect(names.toWire(one)).toMatch(/^x{56}_[0-9a-z]{7}$/)
    expect(names.toWire(one)).not.toBe(names.toWire(other))
  })

  it('adds a valid character at the start of a name', () => {
    expect(createNames(['1st'], geminiRules.names).toWire('1st')).toBe('_1st')
    expect(createNames([''], geminiRules.names).toWire('')).toBe('_')
  })

  it('replaces a character outside the basic multilingual plane with a single one', () => {
    expect(createNames(['a🌍b'], OPENAI).toWire('a🌍b')).toBe('a_b')
  })

  it('returns an unknown name unchanged', () => {
    expect(createNames(['a.b'], OPENAI).fromWire('surprise.me')).toBe('surprise.me')
  })

  it('accepts names of prototype properties', () => {
    const names = createNames(['__proto__', 'constructor'], OPENAI)
    expect(names.fromWire(names.toWire('__proto__'))).toBe('__proto__')
    expect(names.fromWire('toString')).toBe('toString')
  })
})

describe('any list of names', () => {
  const anyName = fc.oneof(fc.string(), fc.string({ unit: anyCharacter, maxLength: 100 }), fc.stringMatching(/^[a-c._/-]{1,6}$/))
  const anyRules = fc.constantFrom(OPENAI, geminiRules.names, anthropicRules.schema.keys as NameRules)

  it('has names that are valid, unique and reversible', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName), anyRules, (list, rules) => {
        const names = createNames(list, rules)
        const wireNames = list.map(names.toWire)
        expect(wireNames.every((name) => isLegal(name, rules))).toBe(true)
        expect(new Set(wireNames).size).toBe(list.length)
        expect(wireNames.map(names.fromWire)).toEqual(list)
      }),
    )
  })

  it('keeps its names when it grows at the end', () => {
    fc.assert(
      fc.property(fc.array(anyName), fc.array(anyName), anyRules, (list, more, rules) => {
        const names = createNames(list, rules)
        const grown = createNames([...list, ...more], rules)
        expect(list.map(grown.toWire)).toEqual(list.map(names.toWire))
      }),
    )
  })

  it('gives a name from an old message a valid, stable name that no tool has', () => {
    fc.assert(
      fc.property(fc.array(anyName), anyName, anyRules, (list, old, rules) => {
        const names = createNames(list, rules)
        fc.pre(!list.includes(old))
        expect(isLegal(names.toWire(old), rules)).toBe(true)
        expect(names.toWire(old)).toBe(names.toWire(old))
        expect(list.map(names.toWire)).not.toContain(names.toWire(old))
      }),
    )
  })
})
