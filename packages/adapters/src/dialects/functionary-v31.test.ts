import { expect, it } from 'vitest'
import { functionaryV31 } from './functionary-v31.ts'

it('parses calls in a row, with text around them', () => {
  const { text, toolCalls } = functionaryV31.parse(
    'So <function=a.b-c>{"q":"</function>"}</function><function=now></function> done',
  )
  expect(text).toBe('So  done')
  expect(toolCalls.map((call) => [call.name, call.arguments])).toEqual([
    ['a.b-c', '{"q":"</function>"}'],
    ['now', '{}'],
  ])
})

it('keeps text that only looks like the start of a call', () => {
  for (const text of ['<function=>', '<function=a\n>{}', '<function=a> of x', '<function a>{}'])
    expect(functionaryV31.parse(text)).toMatchObject({ text, toolCalls: [] })
})

it('refuses a name that would end too early', () => {
  for (const name of ['', 'a>b', 'a\nb', 'a'.repeat(257)])
    expect(functionaryV31.formatCall({ id: 'x', name, arguments: '{}' })).toMatchObject({
      ok: false,
      code: 'invalid_name',
      message: expect.stringMatching(/ Rename the tool\.$/),
    })
})
