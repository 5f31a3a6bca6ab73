import { describe, expect, it } from 'vitest'
import { type ArgumentErrorCode, parseArguments, type RecoveryTag, recoverJson } from './index.ts'

/** A text for each tag, and the value to which it is repaired. The type requires every tag. */
const REPAIRED: Readonly<Record<Exclude<RecoveryTag, 'empty' | 'double_encoded' | 'unsafe_number'>, readonly [string, unknown]>> =
  {
    fence: ['```json\n{"a":1}\n```', { a: 1 }],
    trailing_marker: ['{"a":1}</tool_call>', { a: 1 }],
    surrounding_text: ['Sure! {"a":1}', { a: 1 }],
    odd_whitespace: ['\uFEFF{"a":\u00A01}', { a: 1 }],
    comment: ['{"a":1 /* one */} // done', { a: 1 }],
    trailing_comma: ['{"a":[1,],};', { a: [1] }],
    extra_comma: ['{"a":1,,"b":2}', { a: 1, b: 2 }],
    missing_comma: ['[{} {}\n3\n4]', [{}, {}, 3, 4]],
    semicolon: ['{"a":1; "b":2}', { a: 1, b: 2 }],
    full_width: ['{"a"：1，"b"：“c，d”}', { a: 1, b: 'c，d' }],
    missing_colon: ['{"a" 1}', { a: 1 }],
    equals_sign: ['{"a"="b"}', { a: 'b' }],
    missing_close: ['{"a":["b"', { a: ['b'] }],
    extra_close: ['{}}]', {}],
    wrong_close: ['[{"a":1]', [{ a: 1 }]],
    single_quotes: ["{'a':`b´}", { a: 'b' }],
    smart_quotes: ['{“a”:‘b’}', { a: 'b' }],
    doubled_quotes: ['{""a"":""b""}', { a: 'b' }],
    missing_quote: ['{"a":"b, c,"d":1}', { a: 'b, c', d: 1 }],
    unescaped_quote: ['{"a":"say "b" twice"}', { a: 'say "b" twice' }],
    unquoted_key: ['{a:1, content-type:2}', { a: 1, 'content-type': 2 }],
    unquoted_value: ['{"city":New York}', { city: 'New York' }],
    control_character: ['{"a":"b\n\tc"}', { a: 'b\n\tc' }],
    bad_escape: ['{"a":"it\\\'s"}', { a: "it's" }],
    kept_backslash: ['{"a":"\\d+"}', { a: '\\d+' }],
    escaped: ['{\\"a\\":\\"b\\"}', { a: 'b' }],
    concatenated: ['{"a":"b" + "c"}', { a: 'bc' }],
    python_literal: ["{'a':True,'b':None}", { a: true, b: null }],
    literal_case: ['{"a":TRUE,"b":nil}', { a: true, b: null }],
    loose_number: ['[.5, 5., +5, 1_000, 0x1F]', [0.5, 5, 5, 1000, 31]],
    tuple: ['{"a":(1, 2),"b":(3),"c":()}', { a: [1, 2], b: 3, c: [] }],
    repeated_value: ['{}{"a":1}', { a: 1 }],
  }

/** Codes that only `parseArguments` returns, and codes whose texts would be too long for this table. */
type OfArguments = 'not_an_object' | 'undeclared_key' | 'too_deep' | 'too_large'

/** Texts that are refused with each code. */
const REFUSED: Readonly<Record<Exclude<ArgumentErrorCode, OfArguments>, readonly string[]>> = {
  truncated: ['{"a":"b', '{"a":', '{"a":1,', '{"a', '[1', '[tru', '{"a":1 // }', '{"a":{"b":[1,2'],
  elided: ['[1, // ... more\n]', '{"a":1}...', '{"a":same as before}', '[1,2,...]', '{"a":1, …}', '{...}', '[..., 3]'],
  missing_value: ['{"a":}', '[1,,2]', '[,1]', '{"a":,"b":1}', ']'],
  missing_colon: ['{"a"}', '{"a", 1}', '{"a" ]'],
  missing_comma: [
    '["a":1]',
    '{"a":10"b":2}',
    '{"limit":{"x":"",}"b":1}}',
    '{"n":",""x":1}',
    '{"n":"3,"\n"x":1}',
    '[0. 5]',
    '[(1 2)]',
  ],
  multiple_values: [
    'null {"a":1}',
    '{"a":1} None',
    '{}{a:1}',
    '{}{"a":1,"a":2}',
    '{"a":1}{"a":2}',
    '1\n2',
    '[]{}',
    '{"a":1}, {}',
    '{}{}',
  ],
  bad_number: ['[007]', '[1.2.3]', '{"a":1/3}', '[3kg]', '[2e+]', '[-Infinity]', '{"n":1 000}', '{"b":1//2\n}'],
  not_json_value: ['[NaN]', '[Infinity]', '{"a":undefined}', '[none]'],
  unquoted_value: [
    '{"a":now()}',
    '{"a":x - y}',
    '{"a":args.city}',
    'items[0]',
    '{"tags":[#news, #sport\n]}',
    'city=Paris',
    'I cannot call this tool.',
    '[a + b]',
    '{"a":tru }',
    '{"a":nulll}',
  ],
  bad_escape: [
    '{"p":"C:\\Users\\bob"}',
    '{"a":"\\u12G4"}',
    '["\\\u0001"]',
    '{\\"a\\":1, \\nb:2}',
    '{\\"a\\":1,\\n b:2}',
    '{\\"a\\":1,\\fb:2}',
  ],
  unescaped_quote: [
    '{"to":"bob, "cc": eve"}',
    '{"p":"C:\\","q":1}',
    '{"a":""x", "b":"y""}',
    '{"a":"5,"b":2}',
    '["hello,"world"]',
    '{"k"e"y":1}',
    '{"a":"v"alue"}',
    '{"a":"x "b", c"}',
  ],
  bad_key: ['{5}', '{"a":1, [2]}', '{{}}', '{"a":1,"b\n":2}', '{"\tb":1}', "{'a\n':1}", '{“a\u0001”:1}'],
  repeated_key: ['{a:1, a:2}', '{"a":1,"b":{"c":[],"c":[0]},}', '{"a":1,"a":2,"a":1,}', '{\'a\':1,"a":"1"}'],
  mismatched_close: ['[{]', '[{"a":1]}', '{"a":{"b":1]', '{"a":"x"},"b":"y"}'],
  unexpected_character: ['{"a":/x/}', '[*]', '[\u0000]'],
  trailing_text: ['{"a":1} or {"a":2}', '{"a":1} wait, 2', '{"a":1}x', '{"a":1}"'],
  empty: ['', ' \n', '\uFEFF', '// nothing'],
  forbidden_key: ['{"__proto__":1}', '{"constructor":{"prototype":1}}'],
}

describe('recoverJson', () => {
  it.each(Object.entries(REPAIRED))('repairs with the tag %s', (tag, [text, value]) => {
    const read = recoverJson(text)
    expect(read).toMatchObject({ ok: true, value })
    expect(read.ok && read.tags).toContain(tag)
  })

  it.each(Object.entries(REFUSED))('refuses with the code %s', (code, texts) => {
    for (const text of texts) expect([text, recoverJson(text)]).toMatchObject([text, { ok: false, code }])
  })

  it('reports the position, and quotes at most 60 characters around it', () => {
    const text = `{"a":"${'x'.repeat(100)}","b":}`
    const read = recoverJson(text)
    expect(read).toMatchObject({ ok: false, at: text.length - 1, excerpt: text.slice(-60) })
  })

  it('writes a message for the model that quotes none of the text', () => {
    for (const text of Object.values(REFUSED).flat()) {
      const read = recoverJson(`${text}`)
      expect(read.ok || read.message).toMatch(/^The arguments .+\. [A-Z].+\.$/)
    }
    const secret = recoverJson('{"password":"hunter2" oops}')
    expect(secret.ok || secret.message).not.toContain('hunter2')
  })
})

describe("repairs that can't be combined", () => {
  it('are refused, although each of them alone is unambiguous', () => {
    for (const text of ['{"a":b,"c" 1}', '{"a":b}}', '{"a":"b,"c":d}', '[{"a":x]'])
      expect([text, recoverJson(text).ok]).toEqual([text, false])
  })
})

describe('ambiguous and unambiguous text', () => {
  const read = (text: string) => {
    const parsed = recoverJson(text)
    return parsed.ok ? parsed.value : parsed.code
  }

  it.each(['x or {"a":1}', 'x ?? {"a":1}', 'a + {"a":1}', 'only if {"a":1}', 'Never {"a":1}', 'Here is no {"a":1}'])(
    'refuses an object after an operator or a condition: %s',
    (text) => {
      expect(read(text)).toBe('unquoted_value')
    },
  )

  it.each(['{"a":1} or None', '{"a":1} + x', '{"a":1} | jq .', '{"a":1} if x', '{"a":1} ?? b'])(
    'refuses an object before an operator or a condition: %s',
    (text) => {
      expect(read(text)).toBe('trailing_text')
    },
  )

  it.each(['Sure! {"a":1}', 'Ready?? {"a":1}', '- {"a":1}', '{"a":1}\n\nIf you agree, go on.', '{"a":1}\n\nOr ask me.'])(
    'accepts an object next to a sentence: %s',
    (text) => {
      expect(read(text)).toEqual({ a: 1 })
    },
  )

  it.each([
    ['.3', 0.3],
    ['-.3', -0.3],
    ['{"a":.3\n"b":.4}', { a: 0.3, b: 0.4 }],
    ['[0.\n5]', 'missing_comma'],
    ['{"a":0.\n"b":1}', 'missing_comma'],
    ['5.', 'truncated'],
    ['{"a":"5" b","c":1}', { a: '5" b', c: 1 }],
    ['{"a":["5" b", "c"]}', 'unescaped_quote'],
    ['["x"，b"]', 'unescaped_quote'],
    ['{"a":"他说"好"，然后走了"}', 'unescaped_quote'],
    ['{"a":[red green, blue]}', { a: ['red green', 'blue'] }],
    ['{"a":[red green]}', 'unquoted_value'],
    ["['a' 'b']", 'missing_comma'],
    ['{"a":created_at"}', { a: 'created_at' }],
    ['{"a":"C:\\Users\\x"}', { a: 'C:\\Users\\x' }],
    ['{"a":"C:\\Users\\xa0"}', 'bad_escape'],
    ["{'a':b'x'}", 'unquoted_value'],
    ["{'a':f'x'}", 'unquoted_value'],
    ["{'a':'rock 'n' roll'}", 'unescaped_quote'],
    ["{'a':'the boys' toys'}", 'unescaped_quote'],
    ['{"a":1: "b"}', 'bad_number'],
    ['{"a: "b", "c: 1}', 'unescaped_quote'],
    ['{"a: b", "c": 1}', 'missing_colon'],
    ['{"a:b" : 1}', { 'a:b': 1 }],
    ['callback({"a":1});', { a: 1 }],
    ['functions.get({"a":1})', { a: 1 }],
    ['args = {"a":1}\nargs.update(b)', 'trailing_text'],
    ['"args": {"a":1}', 'unescaped_quote'],
    ['output: {"a":1}', { a: 1 }],
    ['Action: get\nAction Input: {"a":1}', { a: 1 }],
    ['{"a":1}.b', 'trailing_text'],
    ['{"a":1}.', { a: 1 }],
    ['function f() {"a":1}', 'unquoted_value'],
    ['If needed: {"a":1}', { a: 1 }],
    ['load_file({"a":1})', { a: 1 }],
    ['toJSON({"a":1})', 'unquoted_value'],
    ['<city>Paris</city>{"a":1}', 'unexpected_character'],
    ['<think>{"a":1}', 'truncated'],
    ['Sure: {"md":"```js\\nx```"}', { md: '```js\nx```' }],
    ['{"a":1}, but ignore that', 'trailing_text'],
    ['{"a":1}\nWait, no.', 'trailing_text'],
    ['{"a":1}\nPlease wait while I\'m looking.', { a: 1 }],
    ['Do not call {"a":1}', 'unquoted_value'],
  ])('%j', (text, value) => {
    expect(read(text)).toEqual(value)
  })
})

describe('the arguments of a call', () => {
  it('have the tags of the text', () => {
    expect(parseArguments('```\n{a:1}\n```')).toMatchObject({ value: { a: 1 }, tags: ['fence', 'unquoted_key'] })
  })
})
