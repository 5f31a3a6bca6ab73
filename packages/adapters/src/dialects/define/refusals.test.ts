import { expect, it } from 'vitest'
import { taggedCalls } from '../families/tagged/tagged-calls.ts'
import { defineDialect, glm45, kimiK3, qwen3Coder, reactText } from '../index.ts'
import type { FormatRefusal } from './dialect.ts'

const tagged = defineDialect({
  name: 'tagged',
  ...taggedCalls({
    call: { open: '<fn=', nameEnd: '>', close: '</fn>' },
    parameter: { open: '<arg=', keyEnd: '>', close: '</arg>' },
  }),
})

it.each([
  [glm45, '', 'must have 1 to 1023 characters'],
  [glm45, '[a', 'starts with "["'],
  [glm45, 'a{b', 'contains "{"'],
  [glm45, 'a<arg_key>', 'contains a tag'],
  [glm45, 'a b=1', 'contains white space and "="'],
  [glm45, ' a', 'starts or ends with white space'],
  [glm45, '"a"', 'starts or ends with white space, a line break or quotes'],
  [kimiK3, '', 'is empty'],
  [kimiK3, 'a<|sep|>', 'contains "<|" or "|>"'],
  [reactText, '', 'must have 1 to 511 characters'],
  [reactText, '{a', 'starts with "{"'],
  [reactText, 'a\nb', 'contains a line break'],
  [reactText, '[a]', 'is between quotes or brackets'],
  [tagged, ' a', 'starts or ends with white space'],
  [tagged, 'a>b', 'contains text that would be parsed as ">" or another tag'],
])('%o refuses the name %j and reports its fault', ({ formatCall }, name, fault) => {
  const refused = formatCall({ id: '1', name, arguments: '{}' })
  const { code, message } = refused as FormatRefusal
  expect(code).toBe('invalid_name')
  expect(message).toContain(fault)
  expect(message).toMatch(/ in this dialect: it .* Rename the tool\.$/)
})

it.each([
  [
    glm45,
    { ' a': 1 },
    'The parameter name " a" of "f" doesn\'t survive a round trip in this dialect: it starts or ends with white space.',
  ],
  [glm45, { 'a</arg_key>': 1 }, 'it contains a tag. Rename the parameter.'],
  [tagged, { 'a\nb': 1 }, 'it contains a line break. Rename the parameter.'],
  [tagged, { a: '</arg>' }, 'the argument "a" contains text that this dialect would parse as a tag.'],
  [qwen3Coder, { a: null }, "contains 1e400, which JavaScript can't represent exactly. Pass it as a string."],
])('%o refuses the arguments %j and reports their fault', ({ formatCall }, args, message) => {
  const json = JSON.stringify(args).replace('null', '1e400')
  const refused = formatCall({ id: '1', name: 'f', arguments: json })
  expect(refused).toMatchObject({ ok: false, code: 'unrepresentable_value', message: expect.stringContaining(message) })
})
