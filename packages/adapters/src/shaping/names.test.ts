/** Names on the wire: legal, unique, reversible, and the same while a list grows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { geminiRules } from '../wire/gemini/rules.ts'
import { openaiChatRules } from '../wire/openai-chat/rules.ts'
import { createNames } from './names.ts'
import type { NameRules } from './rules/tool-rules.ts'

const OPENAI = openaiChatRules.names
const isLegal = (name: string, { pattern, maxLength }: NameRules) => name.length <= maxLength && pattern.test(name)

describe('createNames', () => {
  it('leaves legal names as they are', () => {
    const names = createNames(['get_weather', 'mcp-search'], OPENAI)
    expect(['get_weather', 'mcp-search'].map(names.toWire)).toEqual(['get_weather', 'mcp-search'])
  })

  it('replaces what is illegal, and knows the way back', () => {
    const names = createNames(['version_api.VersionApi.get_version'], OPENAI)
    expect(names.toWire('version_api.VersionApi.get_version')).toBe('version_api_VersionApi_get_version')
    expect(names.fromWire('version_api_VersionApi_get_version')).toBe('version_api.VersionApi.get_version')
  })

  it('gives the second of two names that become one a hash', () => {
    const names = createNames(['a.b', 'a_b', 'a/b'], OPENAI)
    expect(names.toWire('a.b')).toBe('a_b')
    expect(names.toWire('a_b')).toMatch(/^a_b_[0-9a-z]{7}$/)
    expect(names.toWire('a/b')).toMatch(/^a_b_[0-9a-z]{7}$/)
    expect(new Set(['a.b', 'a_b', 'a/b'].map(names.toWire)).size).toBe(3)
  })

  it('cuts a long name and ends it in a hash of all of it', () => {
    const [one, other] = [`${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`]
    const names = createNames([one, other], OPENAI)
    expect(names.toWire(one)).toMatch(/^x{56}_[0-9a-z]{7}$/)
    expect(names.toWire(one)).not.toBe(names.toWire(other))
  })

  it('begins a name legally', () => {
    expect(createNames(['1st'], geminiRules.names).toWire('1st')).toBe('_1st')
    expect(createNames([''], geminiRules.names).toWire('')).toBe('_')
  })

  it('takes a character outside the basic plane as one', () => {
    expect(createNames(['a🌍b'], OPENAI).toWire('a🌍b')).toBe('a_b')
  })

  it('gives a name back as it is when no tool has it', () => {
    expect(createNames(['a.b'], OPENAI).fromWire('surprise.me')).toBe('surprise.me')
  })

  it('safely takes names that reach prototypes', () => {
    const names = createNames(['__proto__', 'constructor'], OPENAI)
    expect(names.fromWire(names.toWire('__proto__'))).toBe('__proto__')
    expect(names.fromWire('toString')).toBe('toString')
  })
})

describe('for any names', () => {
  const anyName = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 100 }), fc.stringMatching(/^[a-c._/-]{1,6}$/))
  const anyRules = fc.constantFrom(OPENAI, geminiRules.names, anthropicRules.schema.keys as NameRules)

  it('each is legal, no two are one, and each comes back', () => {
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

  it('a list that grows at its end keeps its names', () => {
    fc.assert(
      fc.property(fc.array(anyName), fc.array(anyName), anyRules, (list, more, rules) => {
        const names = createNames(list, rules)
        const grown = createNames([...list, ...more], rules)
        expect(list.map(grown.toWire)).toEqual(list.map(names.toWire))
      }),
    )
  })

  it('a name of an old message is legal, always the same, and never that of a tool', () => {
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
