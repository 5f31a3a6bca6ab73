import { readFileSync, writeFileSync } from 'node:fs'
import type { LM, LMDelta, LMRequest, Message } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { newFile, readFile } from '../../test/cassette/files.ts'
import { ask, collect, finish, text } from '../../test/wrappers/lm.ts'
import { scriptedLM } from '../testing.ts'
import { recordLM, replayLM } from './index.ts'

const call = { id: '1', name: 'search', arguments: '{"q": 1}' }

describe('secrets', () => {
  const KEY = 'sk-abcdefghij0123456789'

  it('are removed from requests, replies, errors and nested JSON, by name and by form', async () => {
    const file = newFile()
    const lm = recordLM(
      scriptedLM([
        { text: `Use ${KEY}.`, toolCalls: [{ ...call, arguments: `{"key": "${KEY}", "credentials": ["a1b2"], "n": 1}` }] },
        new Error(`host refused ${KEY}`),
      ]),
      file,
    )
    const request = {
      ...ask(`My key is ${KEY}.`),
      providerOptions: { mcp: [{ authorization_token: 'swordfish' }], max_tokens: 7 },
    }
    const response = await lm.generate(request)
    expect(response.text).toContain(KEY)
    await expect(lm.generate(request)).rejects.toThrow(KEY)
    const all = readFileSync(file, 'utf8')
    for (const secret of [KEY, 'swordfish', 'a1b2']) expect(all).not.toContain(secret)
    expect(readFile(file).exchanges[0]).toMatchObject({
      request: { providerOptions: { mcp: [{ authorization_token: '[redacted]' }], max_tokens: 7 } },
      response: {
        text: 'Use [redacted].',
        toolCalls: [{ arguments: '{"key":"[redacted]","credentials":["[redacted]"],"n":1}' }],
      },
    })
  })

  it.each<[where: string, data: object, left: object]>([
    [
      'below its key',
      { authorization: { scheme: 'x', value: ['swordfish'] } },
      { authorization: { scheme: '[redacted]', value: ['[redacted]'] } },
    ],
    [
      'far below its key',
      { api_key: [[{ a: { b: 'swordfish', n: null } }]] },
      { api_key: [[{ a: { b: '[redacted]', n: null } }]] },
    ],
    [
      'a number',
      { password: 4711, sub: { secret: [4711] }, n: 1 },
      { password: '[redacted]', sub: { secret: ['[redacted]'] }, n: 1 },
    ],
    ['JSON below its key', { cookie: '{"value":"swordfish"}' }, { cookie: '{"value":"[redacted]"}' }],
    [
      'a key',
      { [KEY]: 1, [`${KEY}1`]: { [`Bearer ${KEY}`]: 2 } },
      { '[redacted]': 1, '[redacted] (2)': { 'Bearer [redacted]': 2 } },
    ],
  ])('are removed from requests, replies and deltas if a secret is %s', async (_, data, left) => {
    const file = newFile()
    const request = { ...ask('a'), providerOptions: { data } }
    const lm = recordLM(
      {
        generate: async () => ({ text: '', toolCalls: [{ ...call, arguments: JSON.stringify({ data }) }] }),
        async *stream() {
          yield { type: 'metadata', metadata: { data } } as const
          yield finish
        },
      },
      file,
    )
    await lm.generate(request)
    await collect(lm.stream(request))
    const [first, second] = readFile(file).exchanges
    expect(first?.request).toMatchObject({ providerOptions: { data: left } })
    expect(JSON.parse(first?.response?.toolCalls[0]?.arguments ?? '')).toEqual({ data: left })
    expect(second?.deltas?.[0]).toEqual({ type: 'metadata', metadata: { data: left } })
    expect(readFileSync(file, 'utf8')).not.toMatch(/swordfish|4711|abcdefghij/)
    const replayed = replayLM(file)
    await replayed.generate(request)
    await collect(replayed.stream(request))
  })

  it.each([
    ['a value that was replaced', `{"q": "${KEY}", "q": "b"}`],
    ['a value of a secret key that was replaced', '{"q": "b", "password": "swordfish", "password": ""}'],
  ])('are removed from arguments with %s', async (_, text) => {
    const file = newFile()
    const lm = recordLM(scriptedLM([{ toolCalls: [{ ...call, arguments: text }] }]), file)
    await lm.generate(ask('a'))
    expect(JSON.parse(readFile(file).exchanges[0]?.response?.toolCalls[0]?.arguments ?? '')).toMatchObject({ q: 'b' })
    expect(readFileSync(file, 'utf8')).not.toMatch(/swordfish|abcdefghij/)
  })

  it('are not the descriptions of properties with such a name', async () => {
    const file = newFile()
    const properties = { password: { type: 'string', description: 'The password.' } }
    const parameters = { type: 'object', properties }
    const request: LMRequest = {
      ...ask('a'),
      tools: [{ type: 'function', function: { name: 'log_in', description: 'Logs in.', parameters } }],
      responseFormat: { type: 'json', schema: parameters },
    }
    await recordLM(scriptedLM([{ text: 'Hi' }]), file).generate(request)
    expect(readFile(file).exchanges[0]?.request).toEqual(request)
  })

  it('below their key do not count as drift in a file that contains them', async () => {
    const file = newFile()
    const request = { ...ask('a'), providerOptions: { authorization: { value: 'swordfish' } } }
    await recordLM(scriptedLM([{ text: 'Hi' }]), file).generate(request)
    writeFileSync(file, readFileSync(file, 'utf8').replace('[redacted]', 'swordfish'))
    expect((await replayLM(file).generate(request)).text).toBe('Hi')
  })

  it('are removed when they are streamed in pieces, and the rest of the stream keeps its pieces', async () => {
    const file = newFile()
    const pieces: LMDelta[] = [
      { type: 'reasoning', text: 'I ' },
      text(`Use ${KEY.slice(0, 9)}`),
      { type: 'reasoning', text: 'think.' },
      text(`${KEY.slice(9)}, it works.`),
      { type: 'call_start', index: 0, id: '1', name: 'log_in' },
      { type: 'arguments', index: 0, text: '{"password":"sword' },
      { type: 'arguments', index: 0, text: 'fish"}' },
      { type: 'call_end', index: 0 },
      finish,
    ]
    const lm = recordLM(
      {
        generate: scriptedLM([]).generate,
        async *stream() {
          yield* pieces
        },
      },
      file,
    )
    expect(await collect(lm.stream(ask('a')))).toEqual(pieces)
    expect(readFile(file).exchanges[0]?.deltas).toEqual([
      pieces[0],
      text('Use [redacted], it works.'),
      pieces[2],
      pieces[4],
      { type: 'arguments', index: 0, text: '{"password":"[redacted]"}' },
      ...pieces.slice(7),
    ])
  })

  it('do not count as drift, also where the model has repeated them', async () => {
    const file = newFile()
    const talk = async (lm: LM) => {
      const messages: Message[] = [{ role: 'user', content: `My key is ${KEY}.` }]
      for (let turn = 0; turn < 2; turn++)
        messages.push({ role: 'assistant', content: (await lm.generate({ messages })).text }, { role: 'user', content: 'Go on.' })
    }
    await talk(recordLM(scriptedLM([{ text: `Use ${KEY}.` }, { text: 'Done.' }]), file))
    await talk(replayLM(file))
  })

  it('are what the own function removes, such as dates', async () => {
    const file = newFile()
    const redact = (all: string) => all.replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    await recordLM(scriptedLM([{ text: KEY }]), file, { redact }).generate(ask('Today is 2026-11-27.'))
    expect((await replayLM(file, { redact }).generate(ask('Today is 2027-01-01.'))).text).toBe(KEY)
    await expect(recordLM(scriptedLM([]), file, { redact: () => undefined as never }).generate(ask('a'))).rejects.toThrow(
      'redact must return a string, got undefined.',
    )
  })
})
