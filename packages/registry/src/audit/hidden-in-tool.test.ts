import { defineTool, type ToolArgument } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { hiddenCharactersOf } from './hidden-in-tool.ts'

const plain = { name: 'search', description: 'Searches.', args: Type.Object({ query: Type.String() }), execute: () => 1 }
const H = '\u200B'
const pathsOf = (changes: object) => hiddenCharactersOf(defineTool({ ...plain, ...changes } as never)).map(({ path }) => path)
const argsWith = (query: object) => ({ args: { type: 'object', properties: { query: { type: 'string', ...query } } } })

describe('hiddenCharactersOf', () => {
  it.each<[string, object]>([
    ['/description', { description: `Searches.${H}` }],
    ['/category', { category: `web${H}` }],
    ['/tags/1', { tags: ['web', `pages${H}`] }],
    ['/args/properties/query/description', argsWith({ description: `What to find.${H}` })],
    ['/args/properties/query/title', argsWith({ title: `Query${H}` })],
    ['/args/properties/query/enum/1', argsWith({ enum: ['a', `b${H}`] })],
    ['/args/properties/query/default', argsWith({ default: H })],
    ['/args/properties/query/examples/0', argsWith({ examples: [`cats${H}`] })],
    [`/args/properties/q~1~0${H}`, { args: { type: 'object', properties: { [`q/~${H}`]: { type: 'string' } } } }],
    ['/examples/0/description', { examples: [{ args: {}, description: `For cats.${H}` }] }],
    ['/examples/0/args/query', { examples: [{ args: { query: `cats${H}` } }] }],
    ['/output/properties/found/description', { output: Type.Object({ found: Type.String({ description: H }) }) }],
    ['/arguments/0/description', { arguments: [{ name: 'query', type: 'string', description: H, required: true }] }],
  ])('finds hidden characters in %s', (path, changes) => {
    expect(pathsOf(changes)).toEqual([path])
  })

  it('finds nothing in a tool without hidden characters', () => {
    const args = Type.Object({ query: Type.String({ description: 'What to find 🔎️.\n\tOne line.', enum: ['a', 'é'] }) })
    expect(hiddenCharactersOf(defineTool({ ...plain, args }))).toEqual([])
  })

  it('reports the character and its place, without hidden characters in the message', () => {
    const args = Type.Object({ 'q\u{E0041}': Type.String({ description: 'What\u202E to find.' }) })
    const found = hiddenCharactersOf(defineTool({ ...plain, args }))
    expect(found.map(({ message }) => message)).toEqual([
      'Tool "search" contains the hidden character U+E0041 (tag) in "/args/required/0", index 1: a model reads it, but a person cannot see it. Remove it.',
      'Tool "search" contains the hidden character U+E0041 (tag) in the key at "/args/properties/q<U+E0041>", index 1: a model reads it, but a person cannot see it. Remove it.',
      'Tool "search" contains the hidden character U+202E (bidi) in "/args/properties/q<U+E0041>/description", index 4: a model reads it, but a person cannot see it. Remove it.',
    ])
    expect(found[2]).toMatchObject({
      codePoint: 'U+202E',
      index: 4,
      kind: 'bidi',
      path: '/args/properties/q\u{E0041}/description',
    })
  })

  it('finds hidden characters in the name of an object that claims to be a tool', () => {
    const tool = Object.create(defineTool(plain), { name: { value: `search${H}` } })
    expect(hiddenCharactersOf(tool)).toMatchObject([
      { path: '/name', message: expect.stringContaining('Tool "search<U+200B>" contains the hidden character') },
    ])
  })

  it('defineTool refuses a name with hidden characters', () => {
    for (const hidden of [H, '\u202E', '\u{E0041}', 'а']) {
      expect(() => defineTool({ ...plain, name: `search${hidden}` })).toThrow('invalid tool name')
    }
  })

  it('reports a character on one line of limited length', () => {
    const [found] = hiddenCharactersOf(defineTool({ ...plain, examples: [{ args: { [`a\n${'b'.repeat(1_000_000)}`]: H } }] }))
    expect(found?.path).toHaveLength(1_000_019)
    expect(found?.message).toMatch(
      /^Tool "search" contains the hidden character U\+200B \(zero width\) in "\/examples\/0\/args\/a\\nb+…", index 0: .*$/,
    )
    expect(found?.message.length).toBeLessThan(400)
  })

  it('stops after ten characters', () => {
    const given: readonly ToolArgument[] = Array.from({ length: 20 }, (_, index) => ({
      name: `${H}${index}`,
      type: H,
      description: '',
      required: true,
    }))
    expect(pathsOf({ tags: Array(20).fill(`a${H}`) })).toEqual(Array.from({ length: 10 }, (_, index) => `/tags/${index}`))
    const args = Type.Object(Object.fromEntries(given.map(({ name }) => [name, Type.Any()])))
    expect(pathsOf({ args, arguments: given })).toHaveLength(10)
  })

  it('terminates for schemas that are circular, repeat their parts, or are nested very deeply', () => {
    const holding: Record<string, unknown> = { description: H }
    holding.items = [holding, holding]
    const doubled = Array.from({ length: 64 }).reduce<object>((part) => ({ a: part, b: part }), { title: H })
    const deep = Array.from({ length: 100_000 }).reduce<object>((items) => ({ items }), { title: H })
    for (const examples of [holding, doubled, deep]) {
      const tool = Object.create(defineTool(plain), { output: { value: examples } })
      expect(hiddenCharactersOf(tool)).toHaveLength(1)
    }
  })
})
