/** Tests text, reasoning and blocks with a small dialect that is defined only here. */
import { describe, expect, it } from 'vitest'
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import type { ParserOptions } from '../define/dialect.ts'
import { defineDialect } from '../define/own-dialect.ts'
import { jsonBlock } from '../families/json/json-block.ts'

const dialect = defineDialect({
  name: 'small',
  reasoning: { open: '<think>', close: '</think>' },
  ignored: ['<|end|>'],
  end: '<|stop|>',
  blocks: [jsonBlock({ open: '<call>', close: '</call>' })],
  formatCalls: (calls) => calls.map(({ name, json }) => `<call>{"name":"${name}","arguments":${json}}</call>`).join(''),
})
const CALL = '<call>{"name":"a","arguments":{"q":1}}</call>'

const read = (text: string, options?: ParserOptions) => {
  const { toolCalls, ...rest } = dialect.parse(text, options)
  return { ...rest, calls: toolCalls.map(({ name }) => name) }
}

function push(...pieces: string[]): readonly (readonly LMDelta[])[] {
  const parser = dialect.streamParser()
  return [...pieces.map((piece) => [...parser.push(piece)]), [...parser.end()]]
}

describe('text', () => {
  it('is emitted as it arrives, except for what may become a marker', () => {
    expect(push('Hello ', 'a <ca', 'b>')).toEqual([
      [{ type: 'text', text: 'Hello ' }],
      [{ type: 'text', text: 'a ' }],
      [{ type: 'text', text: '<cab>' }],
      [],
    ])
  })

  it("omits ignored markers, and ends at the dialect's end marker", () => {
    expect(read('Hi<|end|> you<|stop|> and more <call>').text).toBe('Hi you')
  })

  it('keeps an ignored marker that it only mentions in quotation marks or a code span', () => {
    for (const text of ['The tag `<|end|>` ends it.', 'Write "<|end|>" and stop', '“<|end|>”'])
      expect(read(text)).toEqual({ text, calls: [] })
    expect(read('He said "stop<|end|>').text).toBe('He said "stop')
    expect(
      push('a `<|end|>', '` b')
        .flat()
        .map((delta) => (delta.type === 'text' ? delta.text : '')),
    ).toEqual(['a `', '<|end|>', '` b'])
  })

  it('omits white space between blocks', () => {
    const texts = push(`${CALL}\n\n${CALL}\n`)
      .flat()
      .filter(({ type }) => type === 'text')
    expect(texts).toEqual([])
    expect(read(`one ${CALL} two ${CALL}\n`).text).toBe('one  two')
  })

  it('is dropped after calls if the policy says so', () => {
    expect(read(`one ${CALL} two ${CALL} three`, { textAfterCalls: 'drop' })).toEqual({ text: 'one', calls: ['a', 'a'] })
  })
})

describe('reasoning', () => {
  it('is recognized at the start of the response', () => {
    expect(read(`<think>\nhm </think>\nso ${CALL}`)).toEqual({ text: 'so', reasoning: 'hm ', calls: ['a'] })
    expect(read('so <think>hm</think>')).toEqual({ text: 'so <think>hm</think>', calls: [] })
  })

  it('may have started in the prompt', () => {
    expect(read('hm</think>so', { startsInReasoning: true })).toEqual({ text: 'so', reasoning: 'hm', calls: [] })
    expect(read('</think>so')).toEqual({ text: 'so', calls: [] })
  })

  it('contains no calls if it is closed, and ends at a call if it never is', () => {
    expect(read(`<think>maybe ${CALL}</think>no`)).toEqual({ text: 'no', reasoning: `maybe ${CALL}`, calls: [] })
    expect(read(`<think>surely ${CALL}`)).toEqual({ text: '', reasoning: 'surely ', calls: ['a'] })
    expect(read(`<think>what <call> means, ${CALL}`)).toMatchObject({ reasoning: 'what <call> means, ', calls: ['a'] })
  })

  it('without an end keeps a call that more reasoning follows, and ends at calls that nothing follows', () => {
    expect(read(`<think>I could ${CALL}, but no.`)).toEqual({ text: '', reasoning: `I could ${CALL}, but no.`, calls: [] })
    expect(read(`So <think>I could ${CALL}, but no.`)).toEqual({ text: `So <think>I could ${CALL}, but no.`, calls: [] })
    const last = read(`<think>I could ${CALL}, but this: ${CALL}\n${CALL}\n`)
    expect(last).toEqual({ text: '', reasoning: `I could ${CALL}, but this: `, calls: ['a', 'a'] })
  })

  it('without an end is parsed in the same way however the text is split', () => {
    for (const text of [`<think>I could ${CALL}, but no.`, `<think>I could ${CALL}, but ${CALL} <think> ${CALL}`]) {
      const whole = read(text)
      for (let at = 0; at <= text.length; at++) {
        const deltas = push(text.slice(0, at), text.slice(at)).flat()
        expect(collectDeltas(deltas).toolCalls.map(({ name }) => name)).toEqual(whole.calls)
        expect(collectDeltas(deltas).reasoning).toEqual(whole.reasoning)
      }
    }
  })

  it('is text after other text, but a call in it is ignored if it is closed', () => {
    const text = `Well. <think>not ${CALL}</think>done`
    expect(read(text)).toEqual({ text, calls: [] })
    expect(read(`Well. <think>but ${CALL}`)).toEqual({ text: 'Well. <think>but', calls: ['a'] })
  })

  it('ends at a call, or never, depending on the policy', () => {
    const text = `<think>maybe ${CALL}</think>no`
    expect(read(text, { callInReasoning: 'call' }).calls).toEqual(['a'])
    expect(read(`<think>${CALL}`, { callInReasoning: 'ignore' })).toEqual({ text: '', reasoning: CALL, calls: [] })
  })

  it('contains an invalid block as text, but not the text after a call of that block', () => {
    const list = (...names: string[]) => `<call>[${names.map((name) => `{"name":"${name}","arguments":{}}`)}]</call>`
    const tools = [{ type: 'function' as const, function: { name: 'a', description: '', parameters: {} } }]
    const options = { tools, callInReasoning: 'call', unknownTool: 'text' } as const
    const none = `hm ${list('x', 'y')} so`
    expect(read(`<think>${none}</think>no`, options)).toEqual({ text: 'no', reasoning: none, calls: [] })
    expect(read(`<think>hm ${list('a', 'x')}`, options)).toMatchObject({ text: '{"name":"x","arguments":{}}', calls: ['a'] })
  })
})

describe('a block', () => {
  it('starts its call once the name is known, and emits arguments as they arrive', () => {
    expect(push('<call>{"name":"a","arguments":{"q', '":1', '}}', '</call>')).toEqual([
      [
        { type: 'call_start', index: 0, id: 'call_0', name: 'a' },
        { type: 'arguments', index: 0, text: '{"q' },
      ],
      [{ type: 'arguments', index: 0, text: '":1' }],
      [{ type: 'arguments', index: 0, text: '}' }],
      [{ type: 'call_end', index: 0 }],
      [],
    ])
  })

  it("is withdrawn if it is truncated, and isn't text", () => {
    const cut = '<call>{"name":"a","arguments":{"q":"x'
    expect(read(`one ${cut}`)).toEqual({ text: 'one', calls: [], malformedCalls: [cut] })
    expect(read(`one ${cut}`, { malformedBlock: 'text' }).text).toBe(`one ${cut}`)
  })

  it('stays a call if it is truncated and the policy says so, closed and marked', () => {
    const { toolCalls } = dialect.parse('<call>{"name":"a","arguments":{"q":["x', { unfinished: 'cut' })
    expect(toolCalls).toEqual([{ id: 'call_0', name: 'a', arguments: '{"q":["x"]}', truncated: true }])
  })

  it('without an end marker is a call or not, depending on the policy', () => {
    const text = '<call>{"name":"a","arguments":{}}'
    expect(dialect.parse(text).toolCalls).toMatchObject([{ name: 'a', tags: ['missing_end'] }])
    expect(read(text, { unfinished: 'never' })).toEqual({ text: '', calls: [], malformedCalls: [text] })
  })

  it('is text or dropped if it is malformed, and always reported', () => {
    const text = '<call>{"nam":"a"}</call>'
    expect(read(text)).toEqual({ text, calls: [], malformedCalls: [text] })
    expect(read(text, { malformedBlock: 'drop' })).toEqual({ text: '', calls: [], malformedCalls: [text] })
  })

  it('is an example in a code fence, and a call after it', () => {
    expect(read(`See:\n\`\`\`\n${CALL}\n\`\`\`\n${CALL}`).calls).toEqual(['a'])
    expect(read(`\`\`\`\n${CALL}\n\`\`\``)).toEqual({ text: `\`\`\`\n${CALL}\n\`\`\``, calls: [] })
    expect(read(`\`\`\`\n${CALL}\n\`\`\``, { callInFence: 'call' }).calls).toEqual(['a'])
    expect(read(`not a fence: \`\`\` ${CALL}`, { quotedCall: 'call' }).calls).toEqual(['a'])
  })

  it('is an example in a longer fence or one of tildes, however the text is split', () => {
    const examples = [`\`\`\`\`\n\`\`\`\n\`\`\`\n${CALL}\n\`\`\`\``, `~~~\n${CALL}\n~~~`, `> \`\`\`\n> ${CALL}`]
    for (const text of examples) {
      expect(read(text)).toEqual({ text, calls: [] })
      expect(
        push(...text)
          .flat()
          .every(({ type }) => type === 'text'),
      ).toBe(true)
    }
  })

  it("leaves no fence open if it can't be read", () => {
    expect(read(`<call>\n\`\`\`json\n{"nam":1}</call>\n${CALL}`).calls).toEqual(['a'])
  })

  it('of an unknown tool is tagged, or is text', () => {
    expect(dialect.parse(CALL, { tools: [] }).toolCalls).toMatchObject([{ tags: ['unknown_tool'] }])
    expect(read(CALL, { tools: [], unknownTool: 'text' })).toMatchObject({ text: CALL, calls: [] })
  })
})

describe('a quoted block', () => {
  it.each([
    `Write \`${CALL}\` for that.`,
    `Write \`${CALL}\n${CALL}\` for that.`,
    `He wrote "${CALL}", and I refuse.`,
    `> ${CALL}`,
    `So:\n\n    ${CALL}`,
  ])('is text: %s', (text) => {
    expect(read(text)).toEqual({ text, calls: [] })
    expect(read(text, { quotedCall: 'call' }).calls).toContain('a')
  })

  it("doesn't affect the call after it", () => {
    expect(read(`Write \`${CALL}\`.\n${CALL}`)).toEqual({ text: `Write \`${CALL}\`.\n`.trim(), calls: ['a'] })
    expect(read(`He wrote "${CALL}". ${CALL}`).calls).toEqual(['a'])
  })

  it('is only a marker if a later line starts a call', () => {
    for (const text of [`I use "<call>" here.\n${CALL}`, `I use \`<call>\`.\n\n ${CALL}\n${CALL}`]) {
      const { toolCalls } = collectDeltas(push(...text).flat())
      expect(toolCalls).toEqual(dialect.parse(text).toolCalls)
      expect(toolCalls.every(({ name }) => name === 'a')).toBe(true)
      expect(toolCalls).toHaveLength(text.split(CALL).length - 1)
    }
  })

  it('is text if it is truncated', () => {
    expect(read('Write `<call>{"name":"a","argu')).toEqual({ text: 'Write `<call>{"name":"a","argu', calls: [] })
  })
})

describe('a parser', () => {
  it('emits nothing after its end', () => {
    const parser = dialect.streamParser()
    parser.push('a')
    parser.end()
    expect([parser.push('b'), parser.end()]).toEqual([[], []])
  })

  it('assigns unique ids within a response', () => {
    const ids = dialect.parse(CALL.replace('{"name"', '{"id":"x","name"').repeat(2) + CALL).toolCalls.map(({ id }) => id)
    expect(ids).toEqual(['x', 'call_1', 'call_2'])
  })
})

describe('a repeated open marker of reasoning', () => {
  it('is removed at the start of the reasoning', () => {
    expect(read('<think>\n<think>Hm.</think>Hi.')).toEqual({ reasoning: 'Hm.', text: 'Hi.', calls: [] })
    expect(read('<think>Hm.</think>Hi.', { startsInReasoning: true })).toEqual({ reasoning: 'Hm.', text: 'Hi.', calls: [] })
  })

  it('is kept after other reasoning', () => {
    expect(read('<think>Write <think>.</think>Hi.')).toEqual({ reasoning: 'Write <think>.', text: 'Hi.', calls: [] })
  })
})
