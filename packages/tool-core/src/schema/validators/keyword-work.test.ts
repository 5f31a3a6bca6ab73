/** Keywords whose work grows with the value. They must count it. */
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { checkWith } from '../../../test/schema/validators/check.ts'
import { matchersOf } from '../pattern.ts'
import { loadAjv } from './ajv/ajv.ts'
import { isMultipleOf } from './ajv/decimal.ts'
import { beyondBounds } from './bounds.ts'
import type { LoadValidator } from './check.ts'
import { isEqual, ValueNumbers } from './equal.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'
import { countValues, MAX_STEPS, StepCounter } from './steps.ts'

const tooComplex = [expect.objectContaining({ keyword: 'too_complex' })]

/** Returns a text in which no two parts look alike to a table of states. */
function mixed(length: number): string {
  let seed = 12_345
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return seed & 65_536 ? 'a' : 'b'
  }).join('')
}

function nestedList(levels: number, inner: unknown): unknown {
  let value = inner
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Returns the number of steps that a check counts. */
async function stepsFor(load: LoadValidator, schema: object, value: unknown): Promise<number> {
  const check = await checkWith(load, schema)
  const take = vi.spyOn(StepCounter.prototype, 'take')
  try {
    expect(check(value)).toEqual([])
    return take.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
  } finally {
    take.mockRestore()
  }
}

const MANY = process.env.X_FULL ? 1_000 : 400
const items = Array.from({ length: MANY }, (_, index) => index)
const members = Object.fromEntries(items.map((index) => [`k${index}`, index]))

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s', (_, load) => {
  it.each<[string, object, unknown]>([
    ['additionalProperties', { additionalProperties: { type: 'number' } }, members],
    ['additionalProperties', { patternProperties: { '^k': {} }, additionalProperties: false }, members],
    ['patternProperties', { patternProperties: { '^x': { type: 'string' } } }, members],
    ['propertyNames', { propertyNames: { type: 'string' } }, members],
    ['minProperties', { minProperties: 1 }, members],
    ['maxProperties', { maxProperties: MANY }, members],
    ['dependentRequired', { items: { dependentRequired: { k1: Object.keys(members) } } }, [members]],
    ['dependencies', { items: { dependencies: { k1: Object.keys(members) } } }, [members]],
    ['contains', { contains: { type: 'string' }, minContains: 0, maxContains: 1 }, items],
    ['multipleOf', { items: { multipleOf: 0.5 } }, items.map((index) => index / 2)],
    ['const', { const: { of: members } }, { of: members }],
    ['a format', { not: { format: 'email' } }, 'a'.repeat(MANY)],
  ])('counts each name, item or character that a keyword reads: %s', async (_name, schema, value) => {
    const bare = await stepsFor(load, {}, value)
    expect((await stepsFor(load, schema, value)) - bare).toBeGreaterThanOrEqual(MANY)
  })

  it('lists the names of an object once for several keywords', async () => {
    const bounds = { minProperties: 1, maxProperties: MANY }
    const one = await stepsFor(load, { allOf: [bounds] }, members)
    const ten = await stepsFor(load, { allOf: Array.from({ length: 10 }, () => bounds) }, members)
    expect(ten - one).toBeLessThan(MANY)
  })

  it.each([
    ['with many states', '^(?:a|b|c)*a(?:a|b){900}c$', mixed(100_000)],
    ['with several conditions', '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w\\s]).{8,}$', 'a'.repeat(2_000_000)],
    ['that looks behind', '(?<!a*b)c', `${'a'.repeat(2_000_000)}c`],
  ])('a pattern of RE2 %s stops at a text that is too long for it', async (_name, pattern, long) => {
    const check = await checkWith(load, Type.String({ pattern }))
    expect(check(long)).toEqual(tooComplex)
    expect(check(mixed(1_000))).not.toEqual(tooComplex)
  })

  it('a common pattern accepts millions of characters, and reports a text that overflows its engine as too complex', async () => {
    const check = await checkWith(load, Type.String({ pattern: '^[a-z]+$' }))
    expect(check('a'.repeat(2_000_000))).toEqual([])
    // V8 has less room in a program with many expressions, such as all tests together.
    expect([[], tooComplex]).toContainEqual(check('a'.repeat(16_000_000)))
  })

  it('compares long items of a list in linear time', async () => {
    const check = await checkWith(load, { type: 'array', uniqueItems: true, items: { type: ['array', 'object'] } })
    const lists = (length: number) => Array.from({ length: 500 }, (_, last) => [...Array(length).fill(0), last])
    const objects = (length: number) => lists(length).map((list) => ({ ...list }))
    for (const make of [lists, objects]) {
      for (const length of [200, 1]) expect(check(make(length))).toEqual([])
      expect(check([...make(0), ...make(0).slice(0, 1)])).toMatchObject([{ keyword: 'uniqueItems', path: '' }])
    }
  })
})

describe('AJV', () => {
  it('stops a pattern of RE2 on many short texts', async () => {
    const check = await checkWith(loadAjv, Type.Array(Type.String({ pattern: '^(a+)+$' })))
    expect(check(Array(900_000).fill('aaaaaaaa'))).toEqual(tooComplex)
    expect(check(Array(100_000).fill('aaaaaaaa'))).toEqual([])
  })

  it('takes no longer for a list of different items inside more levels', async () => {
    const schema = {
      $defs: { list: { type: ['array', 'number'], uniqueItems: true, items: { $ref: '#/$defs/list' } } },
      $ref: '#/$defs/list',
    }
    const numbers = Array.from({ length: 100_000 }, (_, index) => index)
    const check = await checkWith(loadAjv, schema)
    expect(check(nestedList(400, numbers))).toEqual([])
    expect(check(nestedList(400, [...numbers, 5]))).not.toEqual([])
  })

  it('stops if many keywords compare the same list', async () => {
    const many = (keywords: number) => ({ allOf: Array.from({ length: keywords }, () => ({ uniqueItems: true })) })
    const numbers = Array.from({ length: 300_000 }, (_, index) => index)
    expect((await checkWith(loadAjv, many(2)))(numbers)).toEqual([])
    expect((await checkWith(loadAjv, many(50)))(numbers)).toEqual(tooComplex)
  })

  it('stops for many long numbers, which take long to divide', async () => {
    const check = await checkWith(loadAjv, Type.Array(Type.Number({ multipleOf: 0.01 })))
    expect(check(Array(900_000).fill(1e308))).toEqual(tooComplex)
    expect(check(Array(900_000).fill(19.99))).toEqual([])
  })

  it('stops for many invalid regular expressions, which take long to refuse', async () => {
    const check = await checkWith(loadAjv, Type.Array({ type: 'string', not: { format: 'regex' } }))
    expect(check(Array(300_000).fill('(a|b+'))).toEqual(tooComplex)
    expect(check(Array(10_000).fill('(a|b+'))).toEqual([])
    expect(check(['(a|b)+'])).not.toEqual([])
  })

  it('truncates the path of an issue with long keys', async () => {
    const schema = { $defs: { node: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } } }, $ref: '#/$defs/node' }
    const nested = (key: string) => JSON.parse(`${`{"${key}":`.repeat(50)}1${'}'.repeat(50)}`)
    const check = await checkWith(loadAjv, schema)
    expect(check(nested('~/'.repeat(10_000)))).toMatchObject([
      { path: expect.stringMatching(/^[/~01]{10000}…$/), keyword: 'type' },
    ])
    expect(check(nested('key'))).toMatchObject([{ path: '/key'.repeat(50), got: '1' }])
  })

  it('distinguishes a long list of wrong items from a deep one', async () => {
    const check = await checkWith(loadAjv, Type.Array(Type.Object({ name: Type.String() })))
    const [issue] = check(Array.from({ length: 900_000 }, () => ({ other: 1 })))
    expect(issue).toMatchObject({ path: '/0', keyword: 'required' })
  })
})

it('ends a comparison at the first difference', () => {
  let steps = 0
  const take = (more: number) => {
    steps += more
  }
  const large = { list: Array(10_000).fill(1) }
  expect([isEqual(large, 5, take), isEqual(large, { list: [2] }, take), isEqual(large, { other: 1 }, take)]).toEqual(
    Array(3).fill(false),
  )
  expect(steps).toBeLessThan(10)
  expect(isEqual(large, structuredClone(large), take)).toBe(true)
  expect(steps).toBeGreaterThan(10_000)
})

it('reads the items of a list once, however deep they are and however many lists contain them', () => {
  let steps = 0
  const numbers = new ValueNumbers((more) => {
    steps += more
  })
  let list: unknown[] = ['y']
  for (let level = 0; level < 500; level++) {
    list = [list, 'y'.repeat(1_000)]
    expect(numbers.duplicatesIn(list)).toBeUndefined()
  }
  expect(steps).toBeLessThan(500 * 100)
  steps = 0
  expect(numbers.duplicatesIn([list, structuredClone(list)])).toEqual([1, 0])
  expect(steps).toBeLessThan(500 * 100)
})

it('never has to compare long texts in a map', () => {
  const { set } = Map.prototype
  const long = 'x'.repeat(20_000)
  const texts = [`${long}a`, `${long}b`, [`${long}a`], { a: `${long}a` }, { [`${long}a`]: 1 }]
  let longest = 0
  Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    if (typeof key === 'string') longest = Math.max(longest, key.length)
    return set.call(this, key, value)
  }
  try {
    const numbers = new ValueNumbers()
    expect(numbers.duplicatesIn(texts)).toBeUndefined()
    for (const [index, item] of texts.entries())
      expect(numbers.duplicatesIn([...texts, structuredClone(item)])).toEqual([5, index])
  } finally {
    Map.prototype.set = set
  }
  expect(longest).toBeLessThan(16_383)
})

it('compares the items of a list as JSON', () => {
  const numbers = new ValueNumbers()
  const different = [
    1,
    '1',
    [1],
    ['1'],
    [[1]],
    { 0: 1 },
    {},
    [],
    null,
    true,
    'true',
    '[',
    '{',
    { a: 1, b: 2 },
    { a: 2, b: 1 },
    [1, 2],
    [2, 1],
    '',
  ]
  expect(numbers.duplicatesIn(different)).toBeUndefined()
  expect(numbers.duplicatesIn([{ a: [1], b: 2 }, 0, { b: 2, a: [1] }, 5])).toEqual([2, 0])
  expect(numbers.duplicatesIn([[0], 1, [-0]])).toEqual([2, 0])
})

it('compares objects and lists as JSON', () => {
  expect(isEqual({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toBe(true)
  for (const [one, other] of [
    [[], {}],
    [[1], { 0: 1 }],
    [{ toString: 1 }, {}],
    [{ a: undefined }, { b: 1 }],
    [null, {}],
    ['1', 1],
  ])
    expect([isEqual(one, other), isEqual(other, one)]).toEqual([false, false])
})

it('gives the same result for multiples by numbers and by digits', () => {
  const divisors = fc.constantFrom(0.01, 0.07, 0.25, 1.1, 0.001, 3, 1e-7, 2.5)
  const values = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e4, max: 1e4, noNaN: true }),
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 8 })).map(([digits, places]) => digits / 10 ** places),
  )
  fc.assert(
    fc.property(values, divisors, (value, divisor) => {
      const digits = (number: number) => {
        const [coefficient = '', exponent = '0'] = number.toExponential().split('e')
        const [whole = '', fraction = ''] = coefficient.split('.')
        return { units: BigInt(whole + fraction), power: Number(exponent) - fraction.length }
      }
      const [one, other] = [digits(value), digits(divisor)]
      const power = Math.min(one.power, other.power)
      const at = ({ units, power: own }: typeof one) => units * 10n ** BigInt(own - power)
      expect(isMultipleOf(value, divisor)).toBe(at(one) % at(other) === 0n)
    }),
    { numRuns: process.env.X_FULL ? 2_000 : 200 },
  )
})

it('counts a long text as many values, and counts long lists without recursion', () => {
  expect(countValues(['a'.repeat(2_000)])).toBeGreaterThan(100)
  expect(countValues(Array.from({ length: 900_000 }, () => ({})))).toBe(900_001)
})

it('counts more steps of a pattern for a longer text and for larger repetitions', async () => {
  const stepsFor = async (pattern: string, length: number) => {
    const matchers = await matchersOf(Type.Object({ a: Type.String({ pattern }) }))
    return matchers.get(pattern)?.stepsFor(length) ?? 0
  }
  expect(await stepsFor('^[a-z]+$', 1_000_000)).toBeLessThan(MAX_STEPS)
  expect(await stepsFor('^(a+)+$', 1_000_000)).toBeLessThan(MAX_STEPS)
  expect(await stepsFor('^(?:[A-Za-z0-9+/]{4})*={0,2}$', 500_000)).toBeLessThan(MAX_STEPS)
  expect(await stepsFor('^(?:a|b)*a(?:a|b){900}c$', 10_000)).toBeGreaterThan(MAX_STEPS)
  expect(await stepsFor(`^(?:a|b)*a${'[ab]'.repeat(40)}c$`, 100_000)).toBeGreaterThan(MAX_STEPS)
  expect(await stepsFor('^\\S+@(?:[a-z0-9-]+\\.)+a-long-name-of-a-company\\.example$', 1_000_000)).toBeLessThan(MAX_STEPS)
})

it('builds no path while the value is valid', async () => {
  let value: unknown = 1
  for (let level = 0; level < 500; level++) value = { ['~/'.repeat(10_000)]: value }
  let replaced = 0
  const replaceAll = String.prototype.replaceAll
  String.prototype.replaceAll = function (this: string, ...args: Parameters<typeof replaceAll>) {
    replaced++
    return replaceAll.apply(this, args)
  } as typeof replaceAll
  try {
    expect(beyondBounds(value)).toBeUndefined()
  } finally {
    String.prototype.replaceAll = replaceAll
  }
  expect(replaced).toBe(0)
  expect(beyondBounds({ list: [{ 'a/b': JSON.parse('{"__proto__":1}') }] })?.path).toBe('/list/0/a~1b/__proto__')
})
