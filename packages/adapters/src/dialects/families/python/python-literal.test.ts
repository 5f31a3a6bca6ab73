/** Tests the conversion of Python and JSON literals to JSON. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextInput } from '../../engine/text-input.ts'
import { DEEPEST, pythonToJson, readLiteral } from './python-literal.ts'

describe('a number', () => {
  it('keeps all of its digits', () => {
    expect(pythonToJson('123456789012345678901234567890')).toBe('123456789012345678901234567890')
    expect(pythonToJson('0.10000000000000000000001')).toBe('0.10000000000000000000001')
  })

  it('may have a sign, also separated from its digits', () => {
    expect(pythonToJson('[-5, +5, - 5, -0.5]')).toBe('[-5, 5, -5, -0.5]')
  })

  it('may be written in a form that only Python has', () => {
    expect(pythonToJson('[1_000, 0xFF, 0o17, 0b11, .5, 5., 1E-7, 01.5, 00]')).toBe('[1000, 255, 15, 3, 0.5, 5.0, 1E-7, 1.5, 0]')
  })

  it("is undefined if Python or JSON doesn't have it", () => {
    for (const word of ['007', '1__0', '_1', '1e999', '1j', 'inf', '-', '--1', '1.2.3', '0x'])
      expect(pythonToJson(word)).toBeUndefined()
  })
})

describe('a constant', () => {
  it('is spelled as in Python or as in JSON', () => {
    expect(pythonToJson('[True, False, None, true, false, null]')).toBe('[true, false, null, true, false, null]')
  })

  it("isn't just any word", () => {
    expect(pythonToJson('celsius')).toBeUndefined()
    expect(pythonToJson('celsius', { bareWords: true })).toBe('"celsius"')
  })
})

describe('a string', () => {
  const textOf = (literal: string): unknown => JSON.parse(pythonToJson(literal) ?? 'null')

  it('has either kind of quotes, once or three times', () => {
    expect(textOf(`'say "hi"'`)).toBe('say "hi"')
    expect(textOf(`"it's"`)).toBe("it's")
    expect(textOf(`'''one\n'two' ''three'''`)).toBe("one\n'two' ''three")
    expect(textOf('""')).toBe('')
    expect(textOf('""""""')).toBe('')
  })

  it('has the escapes of Python', () => {
    expect(textOf(String.raw`'\n\t\\\'\"\a\v\x41\101\u00e9\U0001F600'`)).toBe('\n\t\\\'"\x07\vAA\u00e9\u{1f600}')
    expect(textOf("'one \\\nline'")).toBe('one line')
  })

  it('keeps a backslash that starts no escape', () => {
    expect(textOf(String.raw`'\d+ \N{DASH} \x4 \U00110000'`)).toBe(String.raw`\d+ \N{DASH} \x4 \U00110000`)
  })

  it('keeps all backslashes if it is raw', () => {
    expect(textOf(String.raw`r'\d\'\n'`)).toBe(String.raw`\d\'\n`)
  })

  it('is joined with the next one', () => {
    expect(textOf(`("one " 'two '\n r"\\three")`)).toBe('one two \\three')
  })

  it("may contain a line break, which Python doesn't allow", () => {
    expect(textOf("'one\ntwo'")).toBe('one\ntwo')
  })

  it('is undefined if it has placeholders', () => {
    expect(textOf(`f"plain"`)).toBe('plain')
    expect(pythonToJson(`f"{secret}"`)).toBeUndefined()
  })
})

describe('a container', () => {
  it('is a list, a dictionary or a tuple', () => {
    expect(pythonToJson(`{'a': [1, (2, 3)], "b": {}, 'c': (), 'd': (4,), 'e': (5)}`)).toBe(
      '{"a": [1, [2, 3]], "b": {}, "c": [], "d": [4], "e": 5}',
    )
  })

  it('may have a trailing comma and line breaks', () => {
    expect(pythonToJson('[\n  1,\n  {"a": 2,},\n]')).toBe('[1, {"a": 2}]')
  })

  it('has keys that JSON converts to strings', () => {
    expect(pythonToJson('{1: "a", True: "b", None: "c"}')).toBe('{"1": "a", "true": "b", "null": "c"}')
    expect(JSON.parse(pythonToJson('{"__proto__": {"a": 1}}') ?? '')).toEqual(JSON.parse('{"__proto__": {"a": 1}}'))
  })

  it("is undefined if a part is missing or isn't a literal", () => {
    const texts = [
      '[1',
      '[1 2]',
      '[,]',
      '[1,,2]',
      '{1}',
      '{"a"}',
      '{"a": }',
      '{"a": 1 "b": 2}',
      '{[1]: 2}',
      '(1',
      '[1)',
      '[x for x in y]',
    ]
    for (const text of [...texts, '1 + 1', '__import__("os")', 'a.b', '{**a}', '']) expect(pythonToJson(text)).toBeUndefined()
  })

  it('has a limited depth', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(pythonToJson(nested(DEEPEST))).toBe(nested(DEEPEST))
    expect(pythonToJson(nested(DEEPEST + 1))).toBeUndefined()
    expect(pythonToJson('['.repeat(100_000))).toBeUndefined()
  })
})

/** Writes a value in one of the ways that Python allows. The numbers in a list determine the choices. */
function toPython(value: unknown, choose: () => number): string {
  if (value === null) return ['None', 'null'][choose() % 2] as string
  if (typeof value === 'boolean') return choose() % 2 ? String(value) : value ? 'True' : 'False'
  if (typeof value === 'number') return JSON.stringify(value)
  if (typeof value === 'string') return toPythonText(value, choose)
  const comma = choose() % 2 ? ', ' : ',\n'
  if (Array.isArray(value)) {
    const items = value.map((item) => toPython(item, choose)).join(comma)
    return choose() % 2 ? `[${items}]` : `(${items}${value.length === 1 ? ',' : ''})`
  }
  const members = Object.entries(value as object).map(
    ([key, member]) => `${toPythonText(key, choose)}: ${toPython(member, choose)}`,
  )
  return `{${members.join(comma)}}`
}

function toPythonText(text: string, choose: () => number): string {
  if (choose() % 3 === 0) return JSON.stringify(text)
  const quote = choose() % 2 ? "'" : '"""'
  const body = text.replace(/[\\'"]|[\ud800-\udfff]/g, (unit) =>
    /[\\'"]/.test(unit) ? `\\${unit}` : `\\u${unit.charCodeAt(0).toString(16)}`,
  )
  return quote + body + quote
}

const jsonValue = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 20 })

function writer(numbers: readonly number[]): () => number {
  let index = 0
  return () => numbers[index++ % numbers.length] as number
}

/** Parses the text one UTF-16 unit at a time. */
function readSlowly(text: string): string | undefined {
  const input = new TextInput()
  const reading = readLiteral(input, {})
  for (const unit of text.split('')) {
    if (!input.append(unit)) continue
    const { done, value } = reading.next()
    if (done) return value as string | undefined
  }
  input.isEnded = true
  return reading.next().value as string | undefined
}

describe('any value', () => {
  it('is parsed from any form in which Python writes it', () => {
    fc.assert(
      fc.property(jsonValue, choices, (value, numbers) => {
        expect(JSON.parse(pythonToJson(toPython(value, writer(numbers))) ?? 'undefined')).toEqual(value)
      }),
    )
  })

  it('is parsed in the same way one character at a time', () => {
    fc.assert(
      fc.property(jsonValue, choices, (value, numbers) => {
        const text = toPython([value], writer(numbers))
        expect(readSlowly(text)).toBe(pythonToJson(text))
      }),
    )
  })
})

describe('any text', () => {
  const fragment = fc.constantFrom(
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    ',',
    ':',
    '"',
    "'",
    '"""',
    '\\',
    '\\u',
    'r"',
    '1',
    '-',
    '.',
    'e5',
    'None',
    'x',
    ' ',
    '\n',
    '😀',
  )

  it('yields JSON or undefined', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 15 }), (fragments) => {
        const json = pythonToJson(fragments.join(''))
        if (json !== undefined) expect(() => JSON.parse(json) as unknown).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })
})
