import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { assertSafePatterns } from './pattern.ts'

function check(pattern: string) {
  return assertSafePatterns(Type.Object({ a: Type.String({ pattern }) }), 'defineTool("probe")', 'args')
}

describe('assertSafePatterns', () => {
  it.each<[string, string]>([
    ['(?=(a+)+$)a', 'lookaheads after a part of variable length'],
    ['^.*(?=.*(?=.*(?=.*x)))y', 'lookaheads after a part of variable length'],
    ['(?=.*x).*(?=.*y)z', 'lookaheads after a part of variable length'],
    ['(?:b(?!b*c))*d', 'lookaheads after a part of variable length'],
    ['(a*)\\1b', 'back-references'],
    ['(["\']).*\\1', 'back-references'],
    ['[a-z]{2,1001}[a-z]*!', 'some of its repetitions or properties'],
    ['^\\-?\\k<a*a*a*>$', 'some of its syntax'],
  ])('refuses %s, which no engine matches in linear time', (pattern, lacks) => {
    expect(() => check(pattern)).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringContaining(
          `may take too long to match, and RE2, which takes linear time, does not support ${lacks}.`,
        ),
      }),
    )
  })

  it.each([
    '^[a-z]+$',
    '^(?:[^/]+/)*[^/]*$',
    '^(?:a|ab)*$',
    '^(foo|bar)+$',
    '^[a-z]+(?:-[a-z]+)*$',
    '^\\d{4}(?:[- ]?\\d{4}){3}$',
    '^(https?:\\/\\/)?([\\w-]+\\.)+[\\w-]+(\\/[\\w\\-.\\/?%&=]*)?$',
    '^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)$',
    '^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|::|([0-9a-fA-F]{1,4})?::([0-9a-fA-F]{1,4}:?){0,6})$',
    '^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_+.-]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$',
    '^(?=.*\\d)(?=.*[A-Z]).{8,64}$',
    '^(a)\\1$',
    '^[(]+[)]+\\(+$',
    '^[\\w-.]+$',
    '^(?<year>\\d{4})-\\d\\d$',
  ])('accepts %s', (pattern) => {
    expect(() => check(pattern)).not.toThrow()
  })

  it.each([
    '^(a+)+$',
    '^(.*,)*$',
    'a*a*a*a*a*a*b',
    `${'a?'.repeat(30)}b`,
    `${'('.repeat(100)}a${')'.repeat(100)}`,
    '^P(?!$)(\\d+Y)?(\\d+M)?(\\d+D)?$',
  ])('accepts %s, which RE2 matches', (pattern) => {
    expect(() => check(pattern)).not.toThrow()
  })

  it('names the tool, the pattern, its place, the unsupported syntax and a fix', () => {
    expect(() => check('(a+)\\1+$')).toThrow(
      'defineTool("probe"): the pattern "(a+)\\\\1+$" at args/properties/a/pattern may take too long to match, and RE2, which ' +
        'takes linear time, does not support back-references. Rewrite the pattern, e.g. as several patterns in allOf.',
    )
  })

  it.each(['(', '[a', 'a{2,1}', '(?P<name>a)', '\\'])('refuses %s, which is not a regular expression', (pattern) => {
    expect(() => check(pattern)).toThrow(/at args\/properties\/a\/pattern is not a JavaScript regular expression/)
  })

  const evil = Type.String({ pattern: '(a+)\\1+$' })
  it.each<[string, object]>([
    ['a list', Type.Object({ list: Type.Array(evil) })],
    ['a union', Type.Object({ a: Type.Union([Type.Null(), evil]) })],
    ['a definition', { type: 'object', $defs: { x: evil }, properties: { a: { $ref: '#/$defs/x' } } }],
    ['a key of patternProperties', { type: 'object', patternProperties: { '(a+)\\1+$': true } }],
    ['the names of properties', { type: 'object', propertyNames: evil }],
    ['a place of its own', { type: 'object', components: { x: evil }, properties: { a: { $ref: '#/components/x' } } }],
    ['a property called default', { type: 'object', properties: { default: evil } }],
  ])('finds a pattern in %s', (_where, schema) => {
    expect(() => assertSafePatterns(schema, 'owner', 'args')).toThrow(/may take too long/)
  })

  it('ignores data, and a property named pattern', () => {
    const schema = Type.Object({
      pattern: Type.String({ default: '(a+)+', examples: ['('] }),
      mode: Type.Any({ default: { pattern: '(' }, enum: [{ pattern: '(' }] }),
    })
    expect(() => assertSafePatterns(schema, 'owner', 'args')).not.toThrow()
  })

  it('refuses a pattern from the value, and ignores extensions', () => {
    const schema = (keywords: object) => ({ type: 'object', properties: { a: { type: 'string', ...keywords } } })
    expect(() => assertSafePatterns(schema({ pattern: { $data: '1/b' } }), 'owner', 'args')).toThrow(
      'owner: args reads a pattern from the value ($data) at /properties/a/pattern.',
    )
    expect(() => assertSafePatterns(schema({ 'x-mask': { pattern: '(((' } }), 'owner', 'args')).not.toThrow()
  })

  it('refuses a schema that contains itself or is nested too deeply, but accepts the same object in two places', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema.properties = { self: schema }
    const assert = (node: object) => assertSafePatterns(node, 'defineTool("probe")', 'args')
    expect(() => assert(schema)).toThrow('defineTool("probe"): args contains itself at /properties/self. Use $ref.')
    let deep: object = {}
    for (let depth = 0; depth < 100_000; depth++) deep = { items: deep }
    expect(() => assert(deep)).toThrow(/nested deeper than 512 levels/)
    const shared = Type.String({ pattern: '^a$' })
    expect(() => assert(Type.Object({ a: shared, b: shared, c: Type.Array(shared) }))).not.toThrow()
  })
})
