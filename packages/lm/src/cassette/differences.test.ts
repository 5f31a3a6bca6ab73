import type { LMRequest, Message } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { newFile } from '../../test/cassette/files.ts'
import { scriptedLM } from '../testing.ts'
import { recordLM, replayLM } from './index.ts'

describe('drift', () => {
  const PROMPT = ['You are a guide.', 'Answer in one sentence.', 'Use the tools.', 'Be polite.', 'Name your sources.'].join('\n')
  const request = (system: string, rest: Partial<LMRequest> = {}): LMRequest => ({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: 'Is it warm?' },
    ],
    ...rest,
  })
  async function recorded(...requests: readonly LMRequest[]): Promise<string> {
    const file = newFile('guide.json')
    const lm = recordLM(scriptedLM(requests.map((_, index) => ({ text: `Reply ${index + 1}` }))), file)
    for (const one of requests) await lm.generate(one)
    return file
  }
  async function messageOf(asking: Promise<unknown>, file: string): Promise<string> {
    const error = await asking.then(
      () => expect.fail('no drift'),
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ name: 'LMError', code: 'cassette_drift', retryable: false })
    return (error as Error).message.replaceAll(file, 'guide.json')
  }

  it('shows the changed lines of a prompt', async () => {
    const file = await recorded(request(PROMPT, { settings: { temperature: 0 } }))
    const changed = request(PROMPT.replace('one sentence', 'two sentences').replace('\nName your sources.', ''), {
      settings: { temperature: 0.5 },
    })
    expect(await messageOf(replayLM(file).generate(changed), file)).toBe(
      [
        'replayLM: request 1 differs from the recorded one in guide.json:',
        'messages[0].content',
        '  You are a guide.',
        '- Answer in one sentence.',
        '+ Answer in two sentences.',
        '  Use the tools.',
        '  Be polite.',
        '- Name your sources.',
        'settings.temperature',
        '- 0',
        '+ 0.5',
        'Undo the change to the program, or record again with recordLM.',
      ].join('\n'),
    )
  })

  it('shows a long line from shortly before its first difference', async () => {
    const file = await recorded(request(`${'a'.repeat(1_000)} one ${'z'.repeat(1_000)}`))
    const message = await messageOf(replayLM(file).generate(request(`${'a'.repeat(1_000)} two ${'z'.repeat(1_000)}`)), file)
    expect(message).toContain(`- …${'a'.repeat(49)} one zzz`)
    expect(message).toContain(`+ …${'a'.repeat(49)} two zzz`)
    expect(message.length).toBeLessThan(700)
  })

  it('shows a message or a tool that was added or removed, and not its neighbors', async () => {
    const tool = (name: string) => ({ type: 'function' as const, function: { name, description: '', parameters: {} } })
    const file = await recorded(request('Hi', { tools: [tool('a'), tool('b'), tool('c')] }))
    const { messages } = request('Hi')
    const more: Message[] = [...messages.slice(0, 1), { role: 'user', content: 'New.' }, ...messages.slice(1)]
    const changed = { messages: more, tools: [tool('a'), tool('c')] }
    expect((await messageOf(replayLM(file).generate(changed), file)).split('\n').slice(1, -1)).toEqual([
      'messages[1]',
      '+ {"role":"user","content":"New."}',
      'tools[1]',
      '- {"type":"function","function":{"name":"b","description":"","parameters":{}}}',
    ])
  })

  it('limits the number of lines', async () => {
    const file = await recorded(request(Array.from({ length: 3_000 }, (_, index) => `a${index}`).join('\n')))
    const other = request(Array.from({ length: 3_000 }, (_, index) => `b${index}`).join('\n'))
    const message = await messageOf(replayLM(file).generate(other), file)
    expect(message.split('\n')).toHaveLength(63)
    expect(message).toContain('… and 5941 more lines of differences')
  })

  it('is reported for an empty list in place of an empty object', async () => {
    const tools = (required: unknown) => [
      { type: 'function' as const, function: { name: 'a', description: '', parameters: { required } } },
    ]
    const file = await recorded(request('a', { tools: tools([]) }))
    expect(await messageOf(replayLM(file).generate(request('a', { tools: tools({}) })), file)).toContain(
      'tools[0].function.parameters.required\n- []\n+ {}\n',
    )
  })

  it('is reported for a request too many, and for one too few', async () => {
    const file = await recorded(request('a'), request('b'))
    const lm = replayLM(file)
    await lm.generate(request('a'))
    expect(() => lm.assertDone()).toThrow('only 1 of the 2 requests')
    await lm.generate(request('b'))
    expect(await messageOf(lm.generate(request('c')), file)).toContain('the program sent request 3, but guide.json has only 2.')
  })

  it('is reported for requests in another order, unless requests are matched by their content', async () => {
    const file = await recorded(request('a'), request('b'), request('b'))
    await expect(replayLM(file).generate(request('b'))).rejects.toMatchObject({ code: 'cassette_drift' })
    const lm = replayLM(file, { match: 'request' })
    const replies = []
    for (const words of ['b', 'a', 'b']) replies.push((await lm.generate(request(words))).text)
    expect(replies).toEqual(['Reply 2', 'Reply 1', 'Reply 3'])
    lm.assertDone()
  })

  it('shows the most similar request that is left, if requests are matched by their content', async () => {
    const file = await recorded(request('Hi', { settings: { seed: 1 } }), request('Bye', { settings: { seed: 2 } }))
    const message = await messageOf(
      replayLM(file, { match: 'request' }).generate(request('Bye', { settings: { seed: 3 } })),
      file,
    )
    expect(message.split('\n').slice(0, -1)).toEqual([
      'replayLM: request 1 differs from each unused request. The most similar one is request 2 in guide.json:',
      'settings.seed',
      '- 2',
      '+ 3',
    ])
  })

  it('ignores the order of keys, and fields that are undefined', async () => {
    const file = await recorded(request('a', { settings: { seed: 1, topK: 2 } }))
    await replayLM(file).generate(request('a', { settings: { topK: 2, seed: 1, stop: undefined }, tools: undefined }))
  })
})
