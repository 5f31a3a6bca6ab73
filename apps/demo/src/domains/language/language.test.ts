import { callTool } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import listLanguages from './list-languages.ts'
import translateText from './translate-text.ts'

const translate = (args: Record<string, unknown>) => callTool(translateText, { id: '1', name: 'translate_text', args })

describe('translate_text', () => {
  it('has two required strings and a source language with the default "auto"', () => {
    expect(translateText.arguments.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['text', 'string', true],
      ['target_language', 'string', true],
      ['source_language', 'string', false],
    ])
    expect(translateText.arguments[2]).toMatchObject({ default: 'auto' })
    expect(translateText.category).toBe('language')
  })

  it.each([
    [{ text: 'text', target_language: 'fr' }, '[fr] text'],
    [{ text: '  two  spaces ', target_language: 'de', source_language: 'en' }, '[de]   two  spaces '],
    [{ text: '[fr] text', target_language: 'es' }, '[es] [fr] text'],
  ])('marks the text of %j with the language', async (args, translated_text) => {
    expect(await translate(args)).toMatchObject({ ok: true, output: { translated_text } })
  })

  it.each([
    ['an empty text', { text: '', target_language: 'fr' }, '/text'],
    ['a missing language', { text: 'a' }, 'target_language'],
    ['the name of a language', { text: 'a', target_language: 'French' }, '/target_language'],
    ['a code in capitals', { text: 'a', target_language: 'FR' }, '/target_language'],
    ['a code with three letters', { text: 'a', target_language: 'fra' }, '/target_language'],
    ['a code with a line break', { text: 'a', target_language: 'fr\n' }, '/target_language'],
  ])('refuses %s', async (_, args, place) => {
    expect(await translate(args)).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', message: expect.stringContaining(place) },
    })
  })
})

describe('list_languages', () => {
  const list = async (args: Record<string, unknown>) => {
    const result = await callTool(listLanguages, { id: '1', name: 'list_languages', args })
    if (!result.ok) throw new Error(result.error.message)
    return result.output as readonly { code: string; name: string }[]
  }

  it('names each language once, with a code that translate_text takes', async () => {
    const languages = await list({})
    expect(languages).toContainEqual({ code: 'fr', name: 'French' })
    expect(new Set(languages.map(({ name }) => name)).size).toBe(languages.length)
    for (const { code, name } of languages) {
      expect(await translate({ text: 'a', target_language: code })).toMatchObject({ ok: true })
      expect(name).not.toBe(code)
    }
  })

  it.each([
    ['Swedish', ['sv']],
    ['is it swedish or DANISH?', ['da', 'sv']],
    [' IS ', ['is']],
    ['Klingon', []],
  ])('finds what %j names', async (query, codes) => {
    expect((await list({ query })).map(({ code }) => code)).toEqual(codes)
  })
})
