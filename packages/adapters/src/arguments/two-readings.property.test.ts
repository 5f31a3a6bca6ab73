/** Property tests of ambiguous text: each kind is refused, parsed whole or in pieces of any size. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json, numRuns, read, reads, refuses, sizes, word } from '../../test/arguments/texts.ts'

describe('ambiguous text is refused', () => {
  const inMember = (text: fc.Arbitrary<string>) => text.map((value) => `{"a": ${value}, "b": [${value}]}`)

  it('refuses numbers without commas on one line of a list', () => {
    const numbers = fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 2, maxLength: 4 })
    refuses(fc.tuple(numbers, fc.constantFrom(' ', '  ', '\t', ' /* , */ ')).map(([list, gap]) => `{"a": [${list.join(gap)}]}`))
  })

  it('refuses the booleans of YAML in any case', () => {
    const words = fc.constantFrom('yes', 'no', 'on', 'off', 'y', 'n', 'Yes', 'NO', 'On', 'OFF', 'Y')
    refuses(words.map((value) => `{"a": ${value}}`))
  })

  it('refuses names of variables, constants and placeholders', () => {
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
      'YYYY-MM-DD',
      'HH:MM',
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

  it('refuses comments and words that stand for omitted data', () => {
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
      'plus more',
      '(skip)',
      '- snip -',
      'usw.',
      '等等',
    )
    const comment = fc
      .tuple(words, fc.constantFrom('//', '#', '/*'))
      .map(([text, sign]) => `${sign} ${text}${sign === '/*' ? ' */' : '\n'}`)
    refuses(comment.map((text) => `{"a": [1, 2, ${text}]}`))
    refuses(comment.map((text) => `{"a": [1, 2] ${text}}`))
    refuses(comment.map((text) => `{"a": [1, 2]} ${text}`))
    refuses(fc.constantFrom('and so on', 'etc.', '(and more)', 'The rest is omitted.').map((text) => `{"a": [1, 2]} ${text}`))
  })

  it('refuses comments that may hide members or brackets because a quote is missing', () => {
    const gap = fc.constantFrom('', ' ', '  ')
    const sign = fc.constantFrom('#', '//')
    const key = fc.stringMatching(/^[a-z_]{1,8}$/)
    const isHidden = (written: (key: string) => string) =>
      fc.tuple(sign, gap, key).map(([start, space, name]) => `${start}${space}${written(name)}`)
    const opening = fc.oneof(
      isHidden((name) => `"${name}": {`),
      isHidden((name) => `${name}": {`),
      isHidden((name) => `"${name}: {`),
      isHidden((name) => `'${name}': [`),
      isHidden((name) => `${name}: {`),
    )
    refuses(opening.map((text) => `{"path": "/srv", ${text}\n"recursive": true}`))
    refuses(opening.map((text) => `{"path": "/srv",\n ${text}\n  "recursive": true,\n  "force": true\n }\n}`))
    refuses(opening.map((text) => `[{"path": "/srv"}, ${text}\n"x"]]`))
    refuses(opening.map((text) => `{"path": "/srv" + ${text}\n"recursive"}`))
    refuses(opening.map((text) => `{"path": "/srv" ${text}\n + "recursive"}`))
    const member = fc.oneof(
      isHidden((name) => `"${name}": true,`),
      isHidden((name) => `${name}": true,`),
      isHidden((name) => `"${name}: true,`),
      fc.tuple(sign, key).map(([start, name]) => `${start}${name}: true,`),
    )
    refuses(member.map((text) => `{"path": "/srv", ${text}\n"recursive": true}`))
    refuses(key.map((name) => `{"path": "/srv", /*${name}": "a", "b": "*/\n"recursive": true}`))
    refuses(fc.tuple(sign, key).map(([start, name]) => `{"a": ["x", ${start} ${name}",\n"y"]}`))
    refuses(
      fc.tuple(sign, gap, fc.constantFrom('}', ']', '} {', '},')).map((parts) => `{"a": {"b": 1 ${parts.join('')}\n, "c": 2}}`),
    )
  })

  it('refuses phrases that count the omitted items', () => {
    const phrase = fc.constantFrom(
      'and 5 more',
      'plus 12 others',
      'and many more items',
      'the rest',
      'the remaining rows',
      'and the other 3',
    )
    refuses(phrase.map((text) => `{"a": ["x", ${text}]}`))
    refuses(phrase.map((text) => `{"a": [1, 2, ${text}], "b": 1}`))
  })

  it('refuses doubled quotes around values if no key has them', () => {
    const quote = fc.constantFrom('"', "'")
    refuses(fc.tuple(word, word, quote).map(([key, text, sign]) => `{${sign}${key}${sign}: ${sign}${sign}${text}${sign}${sign}}`))
    refuses(fc.tuple(word, quote).map(([text, sign]) => `{"a": [${sign}${sign}${text}${sign}${sign}], "b": 1}`))
    reads(
      fc.tuple(word, word).map(([key, text]) => [`{""${key}"": [""${text}"", "x"]}`, { [key]: [text, 'x'] }]),
      'doubled_quotes',
    )
  })

  it('refuses the receiver of a method in place of a value', () => {
    refuses(fc.constantFrom('self', 'this').map((text) => `{"a": ${text}}`))
  })

  it("refuses an object in a channel, in a result, or in another speaker's turn", () => {
    const before = fc.constantFrom(
      '<|channel|>analysis<|message|>',
      '<|im_start|>user\n',
      '<start_of_turn>user\n',
      '<|im_start|>system\n',
      '<|start_header_id|>ipython<|end_header_id|>\n\n',
      '<|User|>',
      '<｜User｜>',
      '<|observation|>\n',
      '<|tool_response|>',
      '<｜tool▁output▁begin｜>',
      '<|im_start|>assistant\nok<|im_end|>\n<|im_start|>tool\n',
    )
    refuses(fc.tuple(before, json).map(([start, [text]]) => `${start}${text}`))
  })

  it('refuses a quote before an object without one after it', () => {
    refuses(json.map(([text]) => `"${text}`))
    refuses(json.map(([text]) => `"${text}"${text}"`))
  })

  it('refuses escaped white space before a key without quotes', () => {
    refuses(word.map((key) => `{\\n${key}: 1}`))
  })

  it('refuses escapes of other languages', () => {
    const codes = fc.constantFrom('\\x41', '\\0', '\\1', '\\07', '\\U0001F600', '\\N{DASH}', '\\u{41}')
    const signs = fc.constantFrom(...'_#!~@%&=:;<>, ').map((sign) => `\\${sign}`)
    const quoted = fc.tuple(word, fc.oneof(codes, signs), word).map((parts) => parts.join(''))
    refuses(quoted.map((text) => `{"a": "${text}"}`))
    refuses(quoted.map((text) => `{'a': '${text}'}`))
    refuses(quoted.map((text) => `{"${text}": 1}`))
  })

  it('refuses function calls that convert the object', () => {
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

  it('refuses an assignment or a label that may be the name of one argument', () => {
    const name = fc.constantFrom('filter', 'data', 'user_input', 'city: Paris\nfilter', 'x.args', 'args.x', 'a = 1\nargs')
    const declared = fc.constantFrom('const example', 'const badExample', 'let defaultArgs', 'const schema: Args', 'var old_args')
    refuses(fc.tuple(declared, json).map(([left, [text]]) => `${left} = ${text};`))
    refuses(fc.tuple(name, fc.constantFrom(' = ', '=', ' += '), json).map(([left, sign, [text]]) => `${left}${sign}${text}`))
    refuses(fc.tuple(fc.constantFrom('filter', '- data', 'a: b\nc'), json).map(([left, [text]]) => `${left}: ${text}`))
  })

  it('refuses words that retract the value next to them', () => {
    const before = fc.constantFrom(
      'Never call this:',
      "Don't send",
      'You must not submit',
      'For instance:',
      'I would no longer pass',
      "I won't use",
      'I refuse to send',
      'Maybe',
      'Should I pass',
      'If you agree:',
      'As an example,',
      'Done. This would be wrong:',
    )
    const after = fc.constantFrom(
      'Actually, no.',
      'Skip that.',
      'Sorry, no',
      'Please disregard it.',
      'On second thought, nothing.',
      'is wrong',
      "doesn't work.",
      'is just an example',
      'I must confirm it first.',
      'Let me fix that.',
      'but a is different',
      'once you agree',
      '? Is that fine',
    )
    refuses(fc.tuple(before, json).map(([words, [text]]) => `${words} ${text}`))
    refuses(fc.tuple(after, json).map(([words, [text]]) => `${text}\n${words}`))
  })

  it('refuses a type name as a value', () => {
    const name = fc.constantFrom('string', 'number', 'integer', 'boolean', 'String')
    refuses(name.map((type) => `{"a": ${type}}`))
    refuses(name.map((type) => `{"a": [${type}], "b": 1}`))
  })

  it('refuses an object in unfinished reasoning, or in a template with a placeholder', () => {
    refuses(fc.tuple(json, fc.constantFrom('', 'I could use ')).map(([[text], words]) => `<think>${words}${text}`))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this tests a template placeholder
    refuses(json.map(([text]) => `\`${text.replace('{', '{"hole":"${x}",')}\``))
  })

  it('refuses a list of strings with an extra or missing quote or a missing comma, or reads the intended list', () => {
    const texts = fc.array(fc.stringMatching(/^[abfghx0-9]{1,4}( [abfghx0-9]{1,3})?$/), { minLength: 1, maxLength: 4 })
    const kinds = fc.constantFrom<Wound>(addAt, dropAt, (text, _, place) => dropAt(text, ',', place))
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

/** Removes one occurrence of the sign. */
function dropAt(text: string, sign: string, place: number): string {
  const parts = text.split(sign)
  const at = 1 + (place % Math.max(1, parts.length - 1))
  return parts.slice(0, at).join(sign) + parts.slice(at).join(sign)
}
