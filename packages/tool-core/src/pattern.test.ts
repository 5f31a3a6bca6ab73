import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { assertSafePatterns } from './pattern.ts'

function check(pattern: string) {
  return assertSafePatterns(Type.Object({ a: Type.String({ pattern }) }), 'defineTool("probe")', 'args')
}

describe('assertSafePatterns', () => {
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(a|b|ab)*c',
    '(x+x+)+y',
    '^(?:\\w+\\s?)*$',
    '^(.*,)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(a{1,30}){1,30}',
    '^(a?){30}a{30}$',
    '(?=(a+)+$)a',
    '(?<n>a+)+b',
  ])('LOOP-01: refuses %s, which takes exponential time', (pattern) => {
    expect(() => check(pattern)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining('can take for ever to match') }),
    )
  })

  it.each([`${'a?'.repeat(30)}b`, `${'(?:a|a)'.repeat(30)}b`])('LOOP-01: refuses a long row of choices: %s', (pattern) => {
    expect(() => check(pattern)).toThrow(/too many ways/)
  })

  it.each([
    '^.*(?=.*(?=.*(?=.*(?=.*(?=.*(?=.*x))))))y',
    '^(?:.*(?=.*(?=.*(?=.*(?=.*(?=.*x)))))){1}y',
    '^(?:(?:(?:a*){3}){3}){3}b',
    'a*a*a*a*a*a*b',
  ])('LOOP-01: refuses %s, which only the shortest texts could be tried on', (pattern) => {
    expect(() => check(pattern)).toThrow(/too many ways/)
  })

  it('LOOP-01: refuses a back-reference inside a repetition', () => {
    expect(() => check('^(a|b)(?:\\1c?)*$')).toThrow(/refers back to a group/)
  })

  it('refuses groups that are nested too deeply', () => {
    expect(() => check(`${'('.repeat(100)}a${')'.repeat(100)}`)).toThrow(/nested too deeply/)
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
  ])('takes %s', (pattern) => {
    expect(() => check(pattern)).not.toThrow()
  })

  it('names the tool, the pattern, its place, the part at fault and the way out', () => {
    expect(() => check('^(a+)+$')).toThrow(
      'defineTool("probe"): the pattern "^(a+)+$" at args/properties/a/pattern can take for ever to match: the repeated part "a+" ' +
        'can read one text in several ways. Let each of its parts begin with a character that nothing before it takes.',
    )
  })

  it.each(['(', '[a', 'a{2,1}', '(?P<name>a)', '\\'])('refuses %s, which is no regular expression', (pattern) => {
    expect(() => check(pattern)).toThrow(/at args\/properties\/a\/pattern is no regular expression/)
  })

  const evil = Type.String({ pattern: '^(a+)+$' })
  it.each<[string, object]>([
    ['a list', Type.Object({ list: Type.Array(evil) })],
    ['a union', Type.Object({ a: Type.Union([Type.Null(), evil]) })],
    ['a definition', { type: 'object', $defs: { x: evil }, properties: { a: { $ref: '#/$defs/x' } } }],
    ['a key of patternProperties', { type: 'object', patternProperties: { '^(a+)+$': true } }],
    ['the names of properties', { type: 'object', propertyNames: evil }],
    ['a place of its own', { type: 'object', components: { x: evil }, properties: { a: { $ref: '#/components/x' } } }],
    ['a property called default', { type: 'object', properties: { default: evil } }],
  ])('LOOP-01: finds a pattern in %s', (_where, schema) => {
    expect(() => assertSafePatterns(schema, 'owner', 'args')).toThrow(/can take for ever/)
  })

  it('does not take data, or a property that is called pattern, for one', () => {
    const schema = Type.Object({
      pattern: Type.String({ default: '(a+)+', examples: ['('] }),
      mode: Type.Any({ default: { pattern: '(' }, enum: [{ pattern: '(' }] }),
    })
    expect(() => assertSafePatterns(schema, 'owner', 'args')).not.toThrow()
  })

  it('LOOP-01: refuses a pattern that comes from the value, and leaves extensions alone', () => {
    const schema = (keywords: object) => ({ type: 'object', properties: { a: { type: 'string', ...keywords } } })
    expect(() => assertSafePatterns(schema({ pattern: { $data: '1/b' } }), 'owner', 'args')).toThrow(
      'owner: args takes a pattern from the value itself at /properties/a/pattern.',
    )
    expect(() => assertSafePatterns(schema({ 'x-mask': { pattern: '(((' } }), 'owner', 'args')).not.toThrow()
  })

  it('refuses a schema that holds itself, or is nested too deeply; one object in two places is neither', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema.properties = { self: schema }
    const assert = (node: object) => assertSafePatterns(node, 'defineTool("probe")', 'args')
    expect(() => assert(schema)).toThrow('defineTool("probe"): args holds itself at /properties/self. Use $ref.')
    let deep: object = {}
    for (let depth = 0; depth < 100_000; depth++) deep = { items: deep }
    expect(() => assert(deep)).toThrow(/nested deeper than 512 levels/)
    const shared = Type.String({ pattern: '^a$' })
    expect(() => assert(Type.Object({ a: shared, b: shared, c: Type.Array(shared) }))).not.toThrow()
  })
})
