import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { createLM, withCache, withFallback, withRateLimit, withRetry } from './index.ts'
import { anthropic, bedrock, ollama, openai, openaiCompatible } from './presets/index.ts'
import { withRescue } from './rescue.ts'
import { scriptedLM } from './testing.ts'

const lm = scriptedLM([])
const given = { wire: openaiChat, baseURL: 'http://localhost', model: 'm' }
const create = (options: object) => () => createLM({ ...given, ...options } as never)

describe('what is given instead of a model', () => {
  it.each([
    ['nothing', undefined],
    ['a name', 'gpt-5'],
    ['a promise', Promise.resolve(lm)],
    ['a list', [lm]],
    ['a function', () => lm],
  ])('is refused by each wrapper: %s', (_, other) => {
    const wrong = other as never
    for (const wrap of [withCache, withRetry, withRescue]) expect(() => wrap(wrong)).toThrow(`${wrap.name}: this is no LM`)
    expect(() => withRateLimit(wrong, { concurrency: 1 })).toThrow('withRateLimit: this is no LM')
    expect(() => withFallback([lm, wrong])).toThrow('withFallback: this is no LM')
    if (!Array.isArray(other)) expect(() => withFallback(wrong)).toThrow('Write e.g. withFallback([first, second])')
  })
})

describe('options that are none', () => {
  it.each([openai, anthropic, ollama, openaiCompatible, bedrock])('are refused by a preset: %o', (preset) => {
    const wrong = preset as (options?: unknown) => unknown
    for (const options of [undefined, null, 'gpt-5'])
      expect(() => wrong(options)).toThrow(`${preset.name}: the options are no object`)
    expect(() => wrong({ apiKey: 'k' })).toThrow(`${preset.name}: model is missing`)
  })

  it('are refused by createLM, which says what to write', () => {
    expect(() => createLM(undefined as never)).toThrow('createLM: the options are no object')
    expect(create({ model: undefined })).toThrow('createLM: model is missing')
    expect(create({ deadlines: 5000 })).toThrow('Write { connectMs, firstByteMs, silenceMs, contentMs, totalMs }')
    expect(create({ retries: '3' })).toThrow('Write a number, or { retries,')
    expect(create({ headers: 'x-team: a' })).toThrow('createLM: headers is no object. Write { name: value }')
    for (const name of ['fetch', 'sign', 'onLoss']) expect(create({ [name]: 'x' })).toThrow(`createLM: ${name} is no function`)
    for (const name of ['when', 'random'])
      expect(create({ retries: { [name]: true } })).toThrow(`Retries: ${name} is no function`)
  })

  it('are refused by wrappers', () => {
    expect(() => withCache(lm, { store: 'redis://localhost' } as never)).toThrow('Write { get(key), set(key, response) }')
    expect(() => withCache(lm, { key: 'k' } as never)).toThrow('withCache: key is no function')
    expect(() => withFallback([lm], { when: true } as never)).toThrow('withFallback: when is no function')
    expect(() => withRateLimit(lm, undefined as never)).toThrow('withRateLimit: there is no limit')
    expect(() => withRescue(lm, { dialects: 'hermes' } as never)).toThrow('withRescue: dialects is no list')
    expect(() => withRetry(lm, null as never)).toThrow('Retries: what was given is no object')
    expect(() => withRetry(lm, { when: 429 } as never)).toThrow('Retries: when is no function')
  })
})
