/** Property tests of unambiguous text: each kind is repaired to the intended value, parsed whole or in pieces of any size. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argsOf, json, type Kind, numRuns, ordinary, read, reads, sizes, word, write } from '../../test/arguments/texts.ts'

const around = (sides: fc.Arbitrary<readonly [string, string]>): Kind =>
  fc.tuple(json, sides).map(([[text, value], [before, after]]) => [`${before}${text}${after}`, value])
const singleQuoted = (text: string) => `'${text}'`

describe('unambiguous text is repaired', () => {
  const thoughts = fc.string({ maxLength: 30 }).filter((text) => !text.includes('<'))
  const tag = fc.constantFrom('think', 'thinking', 'reasoning')

  it('accepts reasoning before the object, whatever the reasoning contains', () => {
    reads(around(fc.tuple(tag, thoughts).map(([name, text]) => [`<${name}>${text}</${name}>\n`, ''])), 'surrounding_text')
  })

  it('accepts prose that negates or doubts something else', () => {
    const before = fc.constantFrom(
      "I don't know it, so I call",
      'That failed. Now:',
      "It isn't cached.\nArguments:",
      'Once more:',
      'Let me check if the old error has gone:',
      'If needed:',
    )
    const after = fc.constantFrom("That should do. It won't take long.", 'Let me know if you need more.', 'Done!', '')
    reads(
      fc.tuple(before, json, after).map(([words, [text, value], more]) => [`${words} ${text}\n${more}`, value]),
      'surrounding_text',
    )
  })

  it('accepts prose, tags and a fence around the object', () => {
    const before = fc.constantFrom('Sure: ', 'Here\'s the call for "Paris" now:\n', 'Answer:\n<tool_call>', '<a>\n<b>', 'json\n')
    const after = fc.constantFrom('', '\n', "\n\nI'll wait for it.", ' Done!')
    reads(around(fc.tuple(before, after)), 'surrounding_text')
  })

  it('accepts an assignment of all arguments', () => {
    const name = fc.constantFrom(
      'args',
      'arguments',
      'const args',
      'let x',
      'const call: Args',
      'args: dict',
      'tool_input',
      'params',
      'input',
      'inputs',
      'parameters',
      'call_params',
      'toolArgs',
      'let functionParameters',
      'const badge',
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

  it('accepts a fence of tildes, and one or two backticks', () => {
    const fences = fc.constantFrom(['~~~\n', '\n~~~'], ['~~~json\n', '\n~~~\n'], ['`', '`'], ['``', '``'], ['Use `', '` now.'])
    reads(around(fences.map(([open = '', close = '']) => [open, close])), 'fence')
  })

  it('accepts the Python prefixes u and r', () => {
    const prefix = fc.constantFrom('u', 'U', 'r', 'R')
    const kind = fc.tuple(ordinary, prefix, fc.constantFrom("'", '"'))
    reads(
      kind.map(([value, letter, quote]) => [write(value, { text: (text) => `${letter}${quote}${text}${quote}` }), value]),
      'python_literal',
    )
  })

  it('keeps the backslashes of a raw string', () => {
    const raw = fc.array(fc.constantFrom('\\d', '\\n', '\\x41', '\\_', 'C:\\new', 'a'), { minLength: 1, maxLength: 4 })
    reads(
      raw.map((parts) => [`{'a': r'${parts.join('')}'}`, { a: parts.join('') }]),
      'python_literal',
    )
  })

  it('accepts => instead of a colon', () => {
    reads(
      fc.tuple(ordinary, fc.constantFrom('=>', ' => ')).map(([value, colon]) => [write(value, { colon }), value]),
      'equals_sign',
    )
  })

  it('accepts an apostrophe inside a word in single quotes', () => {
    const names = fc.constantFrom("Ann O'Neil", "it's", "don't stop", "we've", "l'eau", "qu'il", "D'Angelo's", "I'm at o'clock")
    const texts = argsOf(names).filter((value) => JSON.stringify(value).includes("'"))
    reads(
      texts.map((value) => [write(value, { text: singleQuoted }), value]),
      'unescaped_quote',
    )
  })

  it('accepts full-width commas and colons', () => {
    const signs = fc.constantFrom({ colon: '：' }, { colon: '：', comma: '，' }, { colon: ':\u3000', comma: '，' })
    const kind = fc
      .tuple(ordinary, signs)
      .filter(([value, { comma }]) => comma === undefined || write(value, { comma }).includes('，'))
    fc.assert(
      fc.property(kind, sizes, ([value, style], lengths) => {
        const text = write(value, style)
        expect([text, read(text, lengths)]).toMatchObject([text, { ok: true, value }])
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    )
  })

  it('accepts one key without a closing quote', () => {
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

  it('accepts white space between tokens that is written as escapes', () => {
    const gap = fc.constantFrom('\\n', '\\n  ', '\\r\\n\\t', '\\n\\n')
    const kind = fc.tuple(ordinary, gap, fc.constantFrom(':', ': '))
    reads(
      kind.map(([value, space, colon]) => {
        const [, inner = ''] = /^\{(.*)\}$/s.exec(write(value, { comma: `,${space}`, colon })) ?? []
        return [`{${space}${inner}${space}}`, value]
      }),
      'escaped',
    )
  })

  it('accepts quotes around an object whose own quotes are not escaped', () => {
    reads(around(fc.constantFrom(['"', '"'], ['"\n', '\n"\n'])), 'double_encoded')
  })

  it('accepts tokens and roles of chat templates before the object', () => {
    const before = fc.constantFrom(
      '<|im_start|>assistant\n',
      '<|start_header_id|>assistant<|end_header_id|>\n\n',
      '<start_of_turn>model\n',
      '<|constrain|>json<|message|>',
      '<bos>',
      '<｜tool▁call▁begin｜>',
      '<|assistant|>Sure. <|tool_call|>',
    )
    const after = fc.constantFrom('', '<|im_end|>', '<end_of_turn>\n', '</s>')
    reads(around(fc.tuple(before, after)), 'surrounding_text')
  })

  it('accepts the label of an observation after the object', () => {
    reads(around(fc.constantFrom(['Action Input: ', '\nObservation:'], ['', '\nObservation:\n'])), 'surrounding_text')
  })

  it('accepts an IPv4 address or a UUID without quotes', () => {
    const ip = fc.ipV4().filter((text) => !/(?:^|\.)0\d/.test(text))
    const kind = fc.oneof(
      ip,
      fc.uuid().filter((text) => /^\d/.test(text)),
    )
    reads(
      kind.map((text) => [`{"a": ${text}, "b": [${text}]}`, { a: text, b: [text] }]),
      'unquoted_value',
    )
  })

  it('accepts full-width semicolons and ideographic commas between members and items', () => {
    const kind = fc.tuple(ordinary, fc.constantFrom('；', '、'))
    reads(
      kind
        .filter(([value]) => write(value, { comma: '；' }).includes('；'))
        .map(([value, comma]) => [write(value, { comma }), value]),
      'full_width',
    )
  })

  it('accepts quotes of other scripts', () => {
    const quotes = fc.constantFrom(['«', '»'], ['「', '」'], ['＂', '＂'], ['“', '”'])
    reads(
      fc
        .tuple(ordinary, quotes)
        .map(([value, [open, close]]) => [write(value, { text: (text) => `${open}${text}${close}` }), value]),
      'smart_quotes',
    )
  })

  it('accepts numbers without a zero before the decimal point', () => {
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

  it('decodes JSON inside JSON strings, up to four layers', () => {
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
