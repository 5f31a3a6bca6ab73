import { readFileSync } from 'node:fs'
import type { LM, LMDelta, Message } from '@x/adapters'
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
