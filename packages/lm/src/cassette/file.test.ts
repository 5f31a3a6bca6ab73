import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LMResponse, Message } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { newFile, readFile } from '../../test/cassette/files.ts'
import { ask } from '../../test/wrappers/lm.ts'
import { scriptedLM } from '../testing.ts'
import { recordLM, replayLM } from './index.ts'

describe('the file', () => {
  it('contains each message and each field once, and a line for each short object', async () => {
    const file = newFile()
    const lm = recordLM(scriptedLM([{ text: '1' }, { text: '2' }, { text: '3' }]), file)
    const settings = { seed: 1 }
    const messages: Message[] = [{ role: 'user', content: 'a' }]
    await lm.generate({ messages, settings })
    messages.push({ role: 'assistant', content: '1' }, { role: 'user', content: 'b' })
    await lm.generate({ messages, settings })
    await lm.generate({ messages })
    expect(readFileSync(file, 'utf8')).toBe(`{
  "version": 1,
  "exchanges": [
    {
      "number": 1,
      "request": {"messages":[{"role":"user","content":"a"}],"settings":{"seed":1}},
      "response": {"text":"1","toolCalls":[]}
    },
    {
      "number": 2,
      "base": {"number":1,"messages":1},
      "request": {"messages":[{"role":"assistant","content":"1"},{"role":"user","content":"b"}]},
      "response": {"text":"2","toolCalls":[]}
    },
    {
      "number": 3,
      "request": {"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"1"},{"role":"user","content":"b"}]},
      "response": {"text":"3","toolCalls":[]}
    }
  ]
}
`)
  })

  it('grows with what is new in a conversation', async () => {
    const lengthAfter = async (steps: number) => {
      const file = newFile()
      const lm = recordLM(scriptedLM(Array.from({ length: steps }, () => ({ text: 'x'.repeat(500) }))), file)
      const tools = [{ type: 'function' as const, function: { name: 'a', description: 'x'.repeat(5_000), parameters: {} } }]
      const messages: Message[] = []
      for (let step = 0; step < steps; step++) {
        messages.push({ role: 'user', content: `Step ${step}` })
        messages.push({ role: 'assistant', content: (await lm.generate({ messages, tools })).text })
      }
      return readFileSync(file, 'utf8').length
    }
    const [ten, twenty, thirty] = [await lengthAfter(10), await lengthAfter(20), await lengthAfter(30)]
    expect(Math.abs(thirty - twenty - (twenty - ten))).toBeLessThan(300)
  })

  it('has the requests in the order in which they were sent, also if a later one is answered first', async () => {
    const file = newFile()
    const answers = new Map<string, (response: LMResponse) => void>()
    const lm = recordLM(
      { generate: ({ messages }) => new Promise((resolve) => answers.set(messages[0]?.content ?? '', resolve)) },
      file,
    )
    const asking = ['a', 'b', 'c'].map((words) => lm.generate(ask(words)))
    await expect.poll(() => answers.size).toBe(3)
    for (const words of ['c', 'a']) answers.get(words)?.({ text: `to ${words}`, toolCalls: [] })
    await Promise.all([asking[0], asking[2]])
    expect(readFile(file).exchanges.map(({ number }) => number)).toEqual([1, 3])
    answers.get('b')?.({ text: 'to b', toolCalls: [] })
    await asking[1]
    const replayed = replayLM(file)
    for (const words of ['a', 'b', 'c']) expect((await replayed.generate(ask(words))).text).toBe(`to ${words}`)
  })

  it('is rejected if any part of its end is missing', async () => {
    const file = newFile()
    const lm = recordLM(scriptedLM([{ text: '1' }, { text: '2' }]), file)
    await lm.generate(ask('a'))
    await lm.generate(ask('b'))
    const whole = readFileSync(file, 'utf8').trimEnd()
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(file, whole.slice(0, length))
      expect(() => replayLM(file)).toThrow(/isn't complete JSON/)
    }
  })

  const valid = { number: 1, request: { messages: [] }, response: { text: '', toolCalls: [] } }
  it.each([
    ['[]', "isn't a cassette: it has no list `exchanges`"],
    ['{"version":2,"exchanges":[]}', 'has version 2, and this release reads version 1'],
    [cassette({}), "isn't a valid cassette: `exchanges[0]` is incomplete"],
    [cassette({ ...valid, response: undefined }), '`exchanges[0]` is incomplete'],
    [cassette({ ...valid, response: { text: 'a' } }), '`exchanges[0]` is incomplete'],
    [cassette({ ...valid, deltas: ['a'] }), '`exchanges[0]` is incomplete'],
    [cassette({ ...valid, error: 'a' }), '`exchanges[0]` is incomplete'],
    [cassette(valid, { ...valid, number: 2, base: { number: 3, messages: 0 } }), '`exchanges[1]` is incomplete'],
    [cassette(valid, { ...valid, number: 2, base: { number: 1, messages: 1 } }), '`exchanges[1]` is incomplete'],
  ])('is rejected if it is not a cassette: %s', (content, message) => {
    const file = newFile()
    writeFileSync(file, content)
    expect(() => replayLM(file)).toThrow(expect.objectContaining({ code: 'invalid_cassette' }))
    expect(() => replayLM(file)).toThrow(message)
  })

  function cassette(...exchanges: readonly object[]): string {
    return JSON.stringify({ version: 1, exchanges })
  }

  it('is replaced by the first reply of a new recording, and not before', async () => {
    const file = newFile()
    await recordLM(scriptedLM([{ text: 'old' }]), file).generate(ask('a'))
    const lm = recordLM(scriptedLM([{ text: 'new' }]), file)
    expect((await replayLM(file).generate(ask('a'))).text).toBe('old')
    await lm.generate(ask('a'))
    expect((await replayLM(file).generate(ask('a'))).text).toBe('new')
    expect(readdirSync(dirname(file))).toEqual(['recording.json'])
  })

  it('is created with its directory', async () => {
    const file = join(newFile('a'), 'b', 'c.json')
    await recordLM(scriptedLM([{ text: 'Hi' }]), file).generate(ask('a'))
    expect((await replayLM(file).generate(ask('a'))).text).toBe('Hi')
  })

  it('rejects the request if it cannot be written, or if another recording replaces it', async () => {
    const file = newFile()
    writeFileSync(file, '')
    await expect(recordLM(scriptedLM([{ text: 'Hi' }]), join(file, 'b')).generate(ask('a'))).rejects.toMatchObject({
      code: 'invalid_cassette',
      message: expect.stringContaining("can't be written"),
    })
    const [first, second] = [recordLM(scriptedLM([{}, {}]), file), recordLM(scriptedLM([{}]), file)]
    await first.generate(ask('a'))
    await second.generate(ask('b'))
    await expect(first.generate(ask('c'))).rejects.toMatchObject({
      code: 'invalid_cassette',
      message: expect.stringContaining('Use a file for each model.'),
    })
  })

  it('is named in the error if it does not exist', () => {
    expect(() => replayLM('no/such.json')).toThrow(
      /^replayLM: no\/such\.json can't be read: ENOENT.*Record it with recordLM\(lm, file\)\.$/,
    )
  })
})

it.skipIf(process.platform === 'win32')(
  'recording never writes through a link that lies where the new file is written',
  async () => {
    const file = newFile()
    const other = `${file}.other`
    writeFileSync(other, 'mine')
    symlinkSync(other, `${file}.new`)
    await recordLM(scriptedLM([{ text: '1' }]), file).generate(ask('a'))
    expect(readFileSync(other, 'utf8')).toBe('mine')
    expect((await replayLM(file).generate(ask('a'))).text).toBe('1')
  },
)
