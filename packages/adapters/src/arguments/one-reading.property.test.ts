/** Kinds of texts that models write: each is read as what was meant, or refused; a stream in any pieces does what the whole does. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentStream, parseArguments, type RecoveryTag } from './index.ts'
import { argsOf, cutInto, numRuns, ordinary, sizes, word, write } from './test-texts.ts'

const runs = { numRuns: Math.ceil(numRuns / 4) }

/** The result of the whole text, which a stream of it must give too. */
function read(text: string, lengths: readonly number[]) {
  const whole = parseArguments(text)
  for (const pieces of [[1], lengths]) {
    const stream = argumentStream()
    for (const delta of cutInto(text, pieces)) stream.push(delta)
    expect([text, stream.end()]).toEqual([text, whole])
  }
  return whole
}

/** Texts of the kind, with the arguments that each of them means. */
type Kind = fc.Arbitrary<readonly [text: string, value: unknown]>

function reads(kind: Kind, tag: RecoveryTag): void {
  fc.assert(
    fc.property(kind, sizes, ([text, value], lengths) => {
      const parsed = read(text, lengths)
      expect([text, parsed]).toMatchObject([text, { ok: true, value }])
      expect([text, parsed.ok && parsed.tags]).toEqual([text, expect.arrayContaining([tag])])
    }),
    runs,
  )
}

function refuses(texts: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(texts, sizes, (text, lengths) => {
      expect([text, read(text, lengths)]).toMatchObject([text, { ok: false }])
    }),
    runs,
  )
}

const json = ordinary.map((value) => [JSON.stringify(value), value] as const)
const around = (sides: fc.Arbitrary<readonly [string, string]>): Kind =>
  fc.tuple(json, sides).map(([[text, value], [before, after]]) => [`${before}${text}${after}`, value])
const singleQuoted = (text: string) => `'${text}'`

describe('one reading: repaired', () => {
  const thoughts = fc.string({ maxLength: 30 }).filter((text) => !text.includes('<'))
  const tag = fc.constantFrom('think', 'thinking', 'reasoning')

  it('reasoning before the object, whatever it holds', () => {
    reads(around(fc.tuple(tag, thoughts).map(([name, text]) => [`<${name}>${text}</${name}>\n`, ''])), 'surrounding_text')
  })

  it('words, tags and a fence around the object', () => {
    const before = fc.constantFrom('Sure: ', 'Here\'s the call for "Paris" now:\n', 'Answer:\n<tool_call>', '<a>\n<b>', 'json\n')
    const after = fc.constantFrom('', '\n', "\n\nI'll wait for it.", ' Done!')
    reads(
      around(
        fc
          .tuple(before, after)
          .filter(([lead, rest]) => !/<b>|call>/.test(lead) || rest.trim() === '')
          .filter(([, rest]) => !/wait/.test(rest)),
      ),
      'surrounding_text',
    )
  })

  it('an assignment of all arguments', () => {
    const name = fc.constantFrom(
      'args',
      'arguments',
      'const args',
      'let x',
      'const call: Args',
      'args: dict',
      'tool_input',
      'kwargs',
    )
    const end = fc.constantFrom('', ';', '\n', ';\n')
    const fence = fc.constantFrom(['', ''], ['```js\n', '\n```'], ['Here it is:\n```\n', '\n```'])
    reads(
      around(
        fc.tuple(fence, name, end).map(([[open = '', close = ''], left, right]) => [`${open}${left} = `, `${right}${close}`]),
      ),
      'surrounding_text',
    )
  })

  it('a fence of tildes, and one or two back-ticks', () => {
    const fences = fc.constantFrom(['~~~\n', '\n~~~'], ['~~~json\n', '\n~~~\n'], ['`', '`'], ['``', '``'], ['Use `', '` now.'])
    reads(around(fences.map(([open = '', close = '']) => [open, close])), 'fence')
  })

  it('the prefixes u and r of Python', () => {
    const prefix = fc.constantFrom('u', 'U', 'r', 'R')
    const kind = fc.tuple(ordinary, prefix, fc.constantFrom("'", '"'))
    reads(
      kind.map(([value, letter, quote]) => [write(value, { text: (text) => `${letter}${quote}${text}${quote}` }), value]),
      'python_literal',
    )
  })

  it('a raw text, whose backslashes are only that', () => {
    const raw = fc.array(fc.constantFrom('\\d', '\\n', '\\x41', '\\_', 'C:\\new', 'a'), { minLength: 1, maxLength: 4 })
    reads(
      raw.map((parts) => [`{'a': r'${parts.join('')}'}`, { a: parts.join('') }]),
      'python_literal',
    )
  })

  it('=> in place of a colon', () => {
    reads(
      fc.tuple(ordinary, fc.constantFrom('=>', ' => ')).map(([value, colon]) => [write(value, { colon }), value]),
      'equals_sign',
    )
  })

  it('an apostrophe in a word between single quotes', () => {
    const names = fc.constantFrom("Ann O'Neil", "it's", "don't stop", "we've", "l'eau", "qu'il", "D'Angelo's", "I'm at o'clock")
    const texts = argsOf(names).filter((value) => JSON.stringify(value).includes("'"))
    reads(
      texts.map((value) => [write(value, { text: singleQuoted }), value]),
      'unescaped_quote',
    )
  })

  it('full-width commas and colons', () => {
    const signs = fc.constantFrom({ colon: '：' }, { colon: '：', comma: '，' }, { colon: ':\u3000', comma: '，' })
    const kind = fc
      .tuple(ordinary, signs)
      .filter(([value, { comma }]) => comma === undefined || write(value, { comma }).includes('，'))
    fc.assert(
      fc.property(kind, sizes, ([value, style], lengths) => {
        const text = write(value, style)
        expect([text, read(text, lengths)]).toMatchObject([text, { ok: true, value }])
      }),
      runs,
    )
  })

  it('the second quote of one key is missing', () => {
    const member = fc.oneof(word, fc.integer({ min: -99, max: 99 }), fc.boolean(), fc.constant(null))
    const kind = fc.tuple(
      fc.dictionary(
        word.filter((key) => !key.includes(' ')),
        member,
        { minKeys: 1, maxKeys: 4 },
      ),
      fc.nat(),
    )
    reads(
      kind.map(([value, place]) => {
        const keys = Object.keys(value)
        const key = keys[place % keys.length] as string
        return [JSON.stringify(value, null, 1).replaceAll('\n', '').replace(`"${key}":`, `"${key}:`), value]
      }),
      'missing_quote',
    )
  })

  it('numbers without the zero before the point', () => {
    const fraction = fc.integer({ min: -99, max: 99 }).filter((digits) => digits % 10 !== 0)
    const number = (value: number) => String(value).replace('0.', '.')
    reads(
      fc.array(fraction, { minLength: 1, maxLength: 4 }).map((digits) => {
        const value = { list: digits.map((each) => each / 100) }
        return [write(value, { number }), value]
      }),
      'loose_number',
    )
  })

  it('JSON in a JSON text, up to four times', () => {
    const kind = fc.tuple(json, fc.integer({ min: 1, max: 4 }))
    reads(
      kind.map(([[text, value], times]) => [
        Array(times)
          .fill(0)
          .reduce((inner: string) => JSON.stringify(inner), text),
        value,
      ]),
      'double_encoded',
    )
  })
})

describe('more than one reading: refused', () => {
  const inMember = (text: fc.Arbitrary<string>) => text.map((value) => `{"a": ${value}, "b": [${value}]}`)

  it('numbers in a line of a list without commas', () => {
    const numbers = fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 2, maxLength: 4 })
    refuses(fc.tuple(numbers, fc.constantFrom(' ', '  ', '\t', ' /* , */ ')).map(([list, gap]) => `{"a": [${list.join(gap)}]}`))
  })

  it('the booleans of YAML, in any case', () => {
    const words = fc.constantFrom('yes', 'no', 'on', 'off', 'y', 'n', 'Yes', 'NO', 'On', 'OFF', 'Y')
    refuses(words.map((value) => `{"a": ${value}}`))
  })

  it('names of variables, constants and places', () => {
    const name = fc.constantFrom(
      'null_value',
      'true_',
      'null-value',
      'CITY',
      'API_KEY',
      'user_id',
      'userId',
      'null value',
      'your name',
    )
    refuses(inMember(name))
    refuses(fc.tuple(word, word).map(([one, other]) => `{"a": [${one.replace(' ', '')}_${other}]}`))
    refuses(
      fc
        .stringMatching(/^[A-Z]{2,8}$/)
        .filter((text) => !/^(?:TRUE|FALSE|NULL)$/.test(text))
        .map((text) => `{"a": [${text}]}`),
    )
    refuses(fc.tuple(word, word).map(([one, other]) => `{"a": [${one} ${other}]}`))
  })

  it('comments and words for data that was left out', () => {
    const words = fc.constantFrom(
      'and so on',
      '...',
      'etc.',
      'more',
      '3 more',
      'and more items',
      'rest of the list',
      'x ...',
      'other rows',
    )
    const comment = fc
      .tuple(words, fc.constantFrom('//', '#', '/*'))
      .map(([text, sign]) => `${sign} ${text}${sign === '/*' ? ' */' : '\n'}`)
    refuses(comment.map((text) => `{"a": [1, 2, ${text}]}`))
    refuses(comment.map((text) => `{"a": [1, 2] ${text}}`))
    refuses(comment.map((text) => `{"a": [1, 2]} ${text}`))
    refuses(fc.constantFrom('and so on', 'etc.', '(and more)', 'The rest is omitted.').map((text) => `{"a": [1, 2]} ${text}`))
  })

  it('escapes of other languages', () => {
    const codes = fc.constantFrom('\\x41', '\\0', '\\1', '\\07', '\\U0001F600', '\\N{DASH}', '\\u{41}')
    const signs = fc.constantFrom(...'_#!~@%&=:;<>, ').map((sign) => `\\${sign}`)
    const quoted = fc.tuple(word, fc.oneof(codes, signs), word).map((parts) => parts.join(''))
    refuses(quoted.map((text) => `{"a": "${text}"}`))
    refuses(quoted.map((text) => `{'a': '${text}'}`))
    refuses(quoted.map((text) => `{"${text}": 1}`))
  })

  it('calls that make something else of the object', () => {
    const call = fc.constantFrom(
      'JSON.stringify',
      'json.dumps',
      'JSON.parse',
      'str',
      'Object.keys',
      'f(g',
      'client.get',
      'new Map',
      'dumps',
    )
    refuses(fc.tuple(call, json).map(([name, [text]]) => `${name}(${text})${name.includes('(') ? ')' : ''}`))
    refuses(fc.tuple(call, json).map(([name, [text]]) => `{"a": ${name}(${text})}`))
  })

  it('an assignment or a label that may be the name of one argument', () => {
    const name = fc.constantFrom('filter', 'data', 'user_input', 'city: Paris\nfilter', 'x.args', 'args.x', 'a = 1\nargs')
    refuses(fc.tuple(name, fc.constantFrom(' = ', '=', ' += '), json).map(([left, sign, [text]]) => `${left}${sign}${text}`))
    refuses(fc.tuple(fc.constantFrom('filter', '- data', 'a: b\nc'), json).map(([left, [text]]) => `${left}: ${text}`))
  })

  it('an object in reasoning that is not over, or in a template with a hole', () => {
    refuses(json.map(([text]) => `<think>I could use ${text}`))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the hole of a template is what is tested
    refuses(json.map(([text]) => `\`${text.replace('{', '{"hole":"${x}",')}\``))
  })

  it('a quote too many or too few, or a comma too few, in a list of texts: refused, or read as the list', () => {
    const texts = fc.array(fc.stringMatching(/^[abfghx0-9]{1,4}( [abfghx0-9]{1,3})?$/), { minLength: 1, maxLength: 4 })
    const kinds = fc.constantFrom<Wound>(addAt, dropAt, (text, quote, place) => dropAt(text, ',', place))
    const quotes = fc.constantFrom(['"', '"'], ["'", "'"], ['“', '”'])
    fc.assert(
      fc.property(texts, quotes, kinds, fc.nat(), sizes, (list, [open = '', close = ''], wound, place, lengths) => {
        const items = list.map((text) => `${open}${text}${close}`).join(', ')
        const text = `{"a": [${wound(items, place % 2 === 0 ? open : close, place)}]}`
        const parsed = read(text, lengths)
        expect([text, parsed.ok ? parsed.value.a : list]).toEqual([text, list])
      }),
      { numRuns },
    )
  })
})

type Wound = (text: string, sign: string, place: number) => string

function addAt(text: string, sign: string, place: number): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + sign + text.slice(at)
}

/** One of the signs is gone. */
function dropAt(text: string, sign: string, place: number): string {
  const parts = text.split(sign)
  const at = 1 + (place % Math.max(1, parts.length - 1))
  return parts.slice(0, at).join(sign) + parts.slice(at).join(sign)
}
