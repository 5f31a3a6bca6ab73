import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../define/dialect.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { dspyChatadapter } from '../../dspy-chatadapter.ts'
import { MarkerSet, NUMBER } from '../../engine/marker.ts'
import { lineHeaders, sections } from './sections.ts'

const HEADERS = { note: [`Note ${NUMBER} :`, '* Note *'], call: 'Call :' }

/** Defines a dialect in which notes are reasoning, and a call consists only of its name. */
function toDialect(): Dialect {
  const end = new MarkerSet(lineHeaders(HEADERS))
  return defineDialect({
    name: 'sections',
    ...sections(HEADERS, {
      *note({ input, giveReasoning }) {
        yield* input.before(end, giveReasoning)
        return 'read'
      },
      *call({ input, calls }) {
        let name = ''
        yield* input.before(end, (text) => {
          name += text
        })
        calls.start({ name: name.trim() })
        calls.write('{}')
        calls.end()
        return 'read'
      },
    }),
    formatCalls: () => '',
  })
}

function read(text: string): readonly unknown[] {
  const { text: prose, reasoning, toolCalls } = toDialect().parse(text)
  return [prose, reasoning, toolCalls.map(({ name }) => name)]
}

describe('a header', () => {
  it('is at the start of a line, which may be the first line or indented', () => {
    expect(read('Note: a\n  Call: b')).toEqual(['', ' a', ['b']])
    expect(read('One Note: a, and a Call: b')).toEqual(['One Note: a, and a Call: b', undefined, []])
  })

  it('may have several forms and a number', () => {
    expect(read('* Note * a\nNote 12: b\nCall : c')).toEqual(['', ' a b', ['c']])
    expect(read('Note 12345: b')).toEqual(['Note 12345: b', undefined, []])
  })

  it('ends the section before it, and text before the first header is text', () => {
    expect(read('so\nCall: a\nCall: b\n')).toEqual(['so', undefined, ['a', 'b']])
  })
})

describe('fields of DSPy', () => {
  const header = (name: string) => `[[ ## ${name} ## ]]\n`

  function readFields(...fields: readonly (readonly [string, string])[]) {
    const { text, toolCalls, malformedCalls } = dspyChatadapter.parse(
      fields.map(([name, value]) => header(name) + value).join('\n\n'),
    )
    return {
      text,
      calls: toolCalls.map((call) => `${call.name} ${call.arguments}${call.truncated ? ' cut' : ''}`),
      malformedCalls,
    }
  }

  it.each([
    ['an object with a list', '{"tool_calls": [{"name": "f", "args": {"a": 1}}, {"name": "g"}]}', ['f {"a": 1}', 'g {}']],
    ['a list', '[{"name": "f", "arguments": {"a": 1}}]', ['f {"a": 1}']],
    ['one call', '{"name": "f", "args": {"a": 1}}', ['f {"a": 1}']],
    ['a list in a fence', '```json\n[{"name": "f", "args": {"a": 1}}]\n```', ['f {"a": 1}']],
    ['no calls', '{"tool_calls": []}', []],
    ['arguments that are not an object', '[{"name": "f", "args": [1]}, {"name": "g", "args": "x"}]', ['f {}', 'g {}']],
  ])('contain calls: %s', (_, value, calls) => {
    expect(readFields(['tool_calls', value], ['completed', ''])).toEqual({ text: '', calls, malformedCalls: undefined })
  })

  it('stay in the text if they contain no calls', () => {
    const read = readFields(['answer', 'Hi.'], ['tool_calls', '{"foo": "bar"}'])
    expect(read.text).toBe(`${header('answer')}Hi.\n\n${header('tool_calls')}{"foo": "bar"}`)
    expect([read.calls, read.malformedCalls]).toEqual([[], [expect.stringContaining('{"foo": "bar"}')]])
  })

  it('yield one call with a name and arguments, both of which are required', () => {
    const thought = ['next_thought', 'Look.'] as const
    const name = ['next_tool_name', '"f"'] as const
    expect(readFields(thought, name, ['next_tool_args', '{"a": 1}'], ['completed', '']).calls).toEqual(['f {"a": 1}'])
    expect(readFields(thought, name, ['next_tool_args', ''], ['completed', '']).calls).toEqual([])
    expect(readFields(thought, name, ['completed', '']).calls).toEqual([])
  })

  it('are read only once, and in part if the text is truncated', () => {
    const call = '[{"name": "f", "args": {}}]'
    expect(readFields(['tool_calls', call], ['tool_calls', call.replace('f', 'g')]).calls).toEqual(['f {}'])
    expect(readFields(['tool_calls', '[{"name": "f", "args": {"a": "x']).calls).toEqual(['f {"a": "x"} cut'])
  })

  it('are escaped in a result', () => {
    const text = `${header('tool_calls')}[{"name": "f"}]\n${header('tool_calls')}[{"name": "f"}]`
    const written = dspyChatadapter.formatResult({ callId: 'c', name: 'f', ok: true, text })
    expect(dspyChatadapter.parse(written).toolCalls).toEqual([])
  })
})
