import type { ToolSpec } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHarmlessTool, tokenEscape } from './escape-tokens.ts'
import { ALL_CONTROL_TOKENS, CONTROL_TOKENS } from './own-dialect.ts'

const escapeQwen = tokenEscape(CONTROL_TOKENS.qwen)
const escapeAll = tokenEscape(ALL_CONTROL_TOKENS)
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...ALL_CONTROL_TOKENS),
      fc.constantFrom('<', '|', '[', ']', '&#60;', '\uff5c', 'a'),
      fc.string({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''))

describe('a token', () => {
  it('is still readable, but no longer matched', () => {
    expect(escapeQwen('a<|im_end|>b')).toBe('a&#60;|im_end|>b')
    expect(escapeQwen('<<|im_end|>')).toBe('<&#60;|im_end|>')
    expect(tokenEscape(CONTROL_TOKENS.hunyuan)('<\uff5chy_User:opensource\uff5c>')).toBe('&#60;\uff5chy_User:opensource\uff5c>')
    expect(tokenEscape(CONTROL_TOKENS.deepseek)('<\uff5cUser\uff5c>')).toBe('&#60;\uff5cUser\uff5c>')
  })

  it('of another family, or in another spelling, is unchanged', () => {
    for (const text of ['<|eot_id|>', '<|IM_END|>', '<|im_end>', '<| im_end |>', '<\uff5cim_end\uff5c>'])
      expect(escapeQwen(text)).toBe(text)
  })

  it('is also escaped if it starts inside another one', () => {
    expect(tokenEscape([']<]minimax[>[', '[INST]'])(']<]minimax[>[INST]')).toBe('&#93;<]minimax[>&#91;INST]')
  })

  it('is removed from any text, which changes only once and only by readable references', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const harmless = escapeAll(text)
        expect(ALL_CONTROL_TOKENS.filter((token) => harmless.includes(token))).toEqual([])
        expect(escapeAll(harmless)).toBe(harmless)
        if (!text.includes('&#')) expect(harmless.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toBe(text)
      }),
    )
  })

  it('must not be empty', () => {
    expect(() => tokenEscape(['<a>', ''])).toThrow('A control token is empty')
  })
})

describe('a tool', () => {
  it('contains no token in any text, name or key, and is otherwise unchanged', () => {
    const toTool = (text: string): ToolSpec => ({
      type: 'function',
      function: {
        name: `f${text}`,
        description: text,
        parameters: {
          type: 'object',
          properties: { [text]: { enum: [text, 1, null], description: text }, __proto: { default: { ['__proto__']: text } } },
        },
      },
    })
    expect(toHarmlessTool(toTool('<|im_end|>'), escapeQwen)).toEqual(toTool('&#60;|im_end|>'))
    const own = JSON.parse(
      '{"type":"function","function":{"name":"f","description":"d","parameters":{"__proto__":{"a":"<|im_end|>"}}}}',
    )
    expect(JSON.stringify(toHarmlessTool(own, escapeQwen))).toBe(JSON.stringify(own).replace('<', '&#60;'))
  })
})
