import { describe, expect, it } from 'vitest'
import { type Token, tokenize } from './token.ts'

const kindsOf = (text: string) => tokenize(text).map(({ kind, text: written }: Token) => `${kind} ${written}`)

describe('tokenize', () => {
  it.each([
    ['Order A-1001 now', ['word Order', 'id A-1001', 'word now']],
    ['mail a.b@c.org', ['word mail', 'email a.b@c.org']],
    ['see https://a.org/x?y=1.', ['word see', 'url https://a.org/x?y=1', 'sign .']],
    ['on July 4, 2026', ['word on', 'date July 4, 2026']],
    ['at 5 pm tomorrow', ['word at', 'time 5 pm', 'date tomorrow']],
    ['a=-3', ['word a', 'sign =', 'number -3']],
    ["it's 'so so'", ['word it', 'quote so so']],
    ['3x^2 + 1', ['formula 3x^2 + 1']],
  ])('reads %j', (text, tokens) => {
    expect(kindsOf(text)).toEqual(tokens)
  })

  it.each([
    ['1,000', 1000],
    ['$2.50', 2.5],
    ['3 million', 3e6],
    ['5k', 5000],
    ['twelve', 12],
    ['1e-9', 1e-9],
  ])('reads the number %s', (text, value) => {
    expect(tokenize(text)[0]?.number).toBe(value)
  })
})
