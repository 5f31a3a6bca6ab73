import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { createLM, withCache, withFallback, withRateLimit, withRetry } from './index.ts'
import { anthropic, bedrock, ollama, openai, openaiCompatible } from './presets/index.ts'
import { withRescue } from './rescue.ts'
import { scriptedLM } from './testing.ts'

const lm = scriptedLM([])
const given = { wire: openaiChat, baseURL: 'http://localhost', model: 'm' }
const create = (options: object) => () => createLM({ ...given, ...options } as never)

describe('a value that is not a model', () => {
  it.each([
    ['nothing', undefined],
    ['a name', 'gpt-5'],
    ['a promise', Promise.resolve(lm)],
    ['a list', [lm]],
    ['a function', () => lm],
  ])('is refused by each wrapper: %s', (_, other) => {
    const wrong = other as never
    for (const wrap of [withCache, withRetry, withRescue])
      expect(() => wrap(wrong)).toThrow(`${wrap.name}: the model must be an LM`)
    expect(() => withRateLimit(wrong, { concurrency: 1 })).toThrow('withRateLimit: the model must be an LM')
    expect(() => withFallback([lm, wrong])).toThrow('withFallback: the model must be an LM')
    if (!Array.isArray(other)) expect(() => withFallback(wrong)).toThrow('Write withFallback([first, second]).')
  })
})

describe('invalid options', () => {
  it.each([openai, anthropic, ollama, openaiCompatible, bedrock])('are refused by a preset: %o', (preset) => {
    const wrong = preset as (options?: unknown) => unknown
    for (const options of [undefined, null, 'gpt-5'])
      expect(() => wrong(options)).toThrow(`${preset.name}: the options must be an object`)
    expect(() => wrong({ apiKey: 'k' })).toThrow(`${preset.name}: model must be a string`)
  })

  it('are refused by createLM, with the expected form', () => {
    expect(() => createLM(undefined as never)).toThrow('createLM: the options must be an object, got undefined.')
    expect(create({ model: undefined })).toThrow(/^createLM: model must be a string, .*, got undefined\./)
    expect(create({ deadlines: 5000 })).toThrow('deadlines must be { connectMs, firstByteMs, silenceMs, contentMs, totalMs }')
    expect(create({ retries: '3' })).toThrow('the options must be a number, { retries,')
    expect(create({ headers: 'x-team: a' })).toThrow('createLM: headers must be { name: value }')
    for (const name of ['fetch', 'sign', 'onLoss'])
      expect(create({ [name]: 'x' })).toThrow(`createLM: ${name} must be a function or undefined, got a value of type string`)
    for (const [facts, message] of [
      [5, 'facts must be { maxOutputTokens, reasoning, … }, or undefined, got a value of type number.'],
      [{ maxTokens: 5 }, 'facts.maxTokens is unknown. Known facts: contextTokens, maxOutputTokens, '],
      [{ maxOutputTokens: '5' }, 'facts.maxOutputTokens must be a positive integer, got a value of type string.'],
      [{ contextTokens: -1 }, 'facts.contextTokens must be a positive integer, got a value of type number.'],
      [{ reasoning: true }, 'facts.reasoning must be false or { form, byDefault, canBeOff }, got a value of type boolean.'],
    ] as const)
      expect(create({ facts })).toThrow(`createLM: ${message}`)
    for (const name of ['when', 'random'])
      expect(create({ retries: { [name]: true } })).toThrow(`Retries: ${name} must be a function`)
  })

  it('of the prompt cache are refused in a request too, before it is sent', async () => {
    const lm = createLM({ ...given, fetch: () => Promise.reject(new Error('sent')) })
    const message = `createLM: cache must be 'auto', 'off' or a list of points, got "on".`
    await expect(lm.generate({ messages: [], cache: 'on' as never })).rejects.toThrow(message)
  })

  it('are refused by wrappers', () => {
    expect(() => withCache(lm, { store: 'redis://localhost' } as never)).toThrow(
      'store must be { get(key), set(key, response) }, or createMemoryStore(), got a value of type string.',
    )
    expect(() => withCache(lm, { key: 'k' } as never)).toThrow('withCache: key must be a function')
    expect(() => withFallback([lm], { when: true } as never)).toThrow('withFallback: when must be a function')
    expect(() => withRateLimit(lm, undefined as never)).toThrow('withRateLimit: options must be an object')
    expect(() => withRescue(lm, { dialects: 'hermes' } as never)).toThrow('withRescue: dialects must be a list')
    expect(() => withRetry(lm, null as never)).toThrow('Retries: the options must be a number')
    expect(() => withRetry(lm, { when: 429 } as never)).toThrow('Retries: when must be a function')
  })
})
