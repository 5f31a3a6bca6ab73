import type { LM, LMDelta, Message } from '@x/adapters'
import { collectDeltas } from '@x/adapters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { newFile, readFile } from '../../test/cassette/files.ts'
import { ask, collect, finish, text } from '../../test/wrappers/lm.ts'
import { LMError, withRetry } from '../index.ts'
import { scriptedLM } from '../testing.ts'
import { recordLM, replayLM } from './index.ts'

const call = { id: '1', name: 'search', arguments: '{"q": 1}' }

describe('a replayed model', () => {
  it('returns responses, streams and errors as they were recorded, and then sends nothing', async () => {
    const file = newFile()
    const busy = new LMError('http_error', 'host returned 429', { status: 429, retryable: true, retryAfterMs: 5 })
    const script = scriptedLM([{ text: 'Hi', toolCalls: [call], usage: { inputTokens: 3 } }, { text: 'Hello there' }, busy])
    const lm = recordLM(script, file)
    const first = await lm.generate(ask('a'))
    const second = await collect(lm.stream(ask('b')))
    await expect(lm.generate(ask('c'))).rejects.toBe(busy)

    const replayed = replayLM(file)
    expect(await replayed.generate(ask('a'))).toEqual(first)
    expect(await collect(replayed.stream(ask('b')))).toEqual(second)
    await expect(replayed.generate(ask('c'))).rejects.toMatchObject({ ...busy.toJSON() })
    replayed.assertDone()
    expect(script.requests).toHaveLength(3)
  })

  it('returns a recorded stream whole, and a recorded response as a stream', async () => {
    const file = newFile()
    const lm = recordLM(
      scriptedLM([
        { text: 'Hi', toolCalls: [call] },
        { text: 'Hello', finishReason: 'stop' },
      ]),
      file,
    )
    const first = await lm.generate(ask('a'))
    const second = collectDeltas(await collect(lm.stream(ask('b'))))
    const replayed = replayLM(file)
    expect(collectDeltas(await collect(replayed.stream(ask('a'))))).toEqual(first)
    expect(await replayed.generate(ask('b'))).toEqual(second)
  })

  it('yields the deltas before an error of a stream', async () => {
    const file = newFile()
    async function* stream(): AsyncGenerator<LMDelta> {
      yield text('a')
      throw new LMError('unreachable', 'the connection broke')
    }
    const seen = async (lm: Required<LM>) => {
      const deltas: LMDelta[] = []
      const reading = (async () => {
        for await (const delta of lm.stream(ask('x'))) deltas.push(delta)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'unreachable', message: 'the connection broke' })
      return deltas
    }
    expect(await seen(recordLM({ generate: scriptedLM([]).generate, stream }, file))).toEqual([text('a')])
    expect(await seen(replayLM(file))).toEqual([text('a')])
    await expect(replayLM(file).generate(ask('x'))).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('reports a program that reads on where the recorded one left the stream', async () => {
    const file = newFile()
    for await (const _ of recordLM(scriptedLM([{ text: 'Hello there', finishReason: 'stop' }]), file).stream(ask('a'))) break
    for await (const delta of replayLM(file).stream(ask('a'))) {
      expect(delta).toEqual(text('Hell'))
      break
    }
    const drift = { code: 'cassette_drift', message: expect.stringContaining('the recorded stream ends here') }
    await expect(collect(replayLM(file).stream(ask('a')))).rejects.toMatchObject(drift)
    await expect(replayLM(file).generate(ask('a'))).rejects.toMatchObject(drift)
  })

  it('returns any response and any deltas as they were recorded', async () => {
    const words = fc.string({ unit: anyCharacter })
    const delta = fc.oneof(
      words.map(text),
      fc.record({ type: fc.constant('arguments' as const), index: fc.nat(2), text: words }),
      fc.record({ type: fc.constant('metadata' as const), metadata: fc.dictionary(words, fc.jsonValue()) }),
      fc.constant(finish),
    )
    const file = newFile()
    const redact = (all: string) => all
    await fc.assert(
      fc.asyncProperty(words, fc.array(delta), fc.dictionary(words, fc.jsonValue()), async (said, deltas, providerOptions) => {
        const response = { text: said, toolCalls: [{ id: said, name: said, arguments: said }] }
        const request = { ...ask(said), providerOptions }
        const lm = recordLM(
          {
            generate: async () => response,
            async *stream() {
              yield* deltas
            },
          },
          file,
          { redact },
        )
        await lm.generate(request)
        await collect(lm.stream(request))
        const replayed = replayLM(file, { redact })
        expect(await replayed.generate(request)).toEqual(toJson(response))
        expect(await collect(replayed.stream(request))).toEqual(toJson(deltas))
      }),
    )
  })
})

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('a recording', () => {
  it('has every attempt of a retry', async () => {
    const file = newFile()
    const busy = new LMError('http_error', 'busy', { status: 429, retryable: true })
    await withRetry(recordLM(scriptedLM([busy, { text: 'Hi' }]), file), { baseDelayMs: 0 }).generate(ask('a'))
    expect(readFile(file).exchanges.map(({ error, response }) => [error, response?.text])).toEqual([
      [expect.objectContaining({ code: 'http_error', status: 429 }), undefined],
      [undefined, 'Hi'],
    ])
    expect((await withRetry(replayLM(file), { baseDelayMs: 0 }).generate(ask('a'))).text).toBe('Hi')
  })

  it('has the request as it was when the model was called, and no raw reply', async () => {
    const file = newFile()
    const messages: Message[] = [{ role: 'user', content: 'a' }]
    const asking = recordLM(scriptedLM([{ text: 'Hi', raw: { id: 1 } }]), file).generate({ messages })
    messages.push({ role: 'user', content: 'b' })
    expect((await asking).raw).toEqual({ id: 1 })
    expect(readFile(file).exchanges).toEqual([{ number: 1, request: ask('a'), response: { text: 'Hi', toolCalls: [] } }])
  })

  it('refuses invalid arguments', () => {
    const lm = scriptedLM([])
    expect(() => recordLM({} as never, 'a')).toThrow(/recordLM: the model must be an LM/)
    expect(() => recordLM(lm, undefined as never)).toThrow('recordLM: file must be a path, got undefined.')
    expect(() => recordLM(lm, 'a', { redact: 1 as never })).toThrow(/recordLM: redact must be a function/)
    expect(() => replayLM('')).toThrow(/replayLM: file must be a path/)
    expect(() => replayLM('a', { match: 'any' as never })).toThrow(`replayLM: match must be 'order' or 'request', got "any".`)
  })
})
