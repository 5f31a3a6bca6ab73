/** Model text in the hermes dialect: what is read equals what the corpus says, however the text is cut. */
import { collectDeltas } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import { hermes } from '@x/adapters/dialects'
import { expect, it } from 'vitest'
import { describeCorpus, readCorpusFile } from './corpora.ts'

interface Reading {
  readonly content?: string | null
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[]
}
interface DialectCase {
  readonly id: string
  readonly text: string
  readonly chunks?: readonly string[]
  readonly expected: Reading
  readonly alternatives?: readonly Reading[]
  readonly checked: readonly string[]
}

const corpus = readCorpusFile('dialects/hermes.json') as readonly DialectCase[] | undefined

const REASONING = 'reasoning is not told apart yet'

/** Cases whose expected reading this version does not give, each with its reason. Cutting the text must not matter for them either. */
const MISSES: ReadonlyMap<string, string> = new Map([
  ['hermes/partial_thinking_incomplete', REASONING],
  ['hermes/partial_thinking_incomplete-2', REASONING],
  ['hermes/test_with_split_thinking_and_content', REASONING],
  ['hermes/thinking_with_no_tags', REASONING],
  ['hermes/test_chat_cpp_l3481', REASONING],
  ['hermes/test_chat_cpp_l5186', REASONING],
  ['hermes/test_chat_cpp_l5956', REASONING],
  ['hermes/test_chat_cpp_l5971', REASONING],
  ['hermes/open_think_call_no_close', REASONING],
  ['hermes/tool_name_with_collision_non_streaming', 'an unfinished block is given back as text, not dropped'],
  ['hermes/test_qwen_parser_invalid_format_returns_as_normal_text', 'a whole call without its end marker is a call'],
  ['hermes/test_qwen_with_text_between', 'text after the last call is kept'],
  ['hermes/unknown_tool_in_the_middle', 'a call of an undeclared tool is passed on, so that the model is told'],
])

describeCorpus('hermes on model text', corpus, (cases) => {
  for (const { id, text, chunks = [text], checked, expected, alternatives = [] } of cases) {
    const whole = () => pick(read([text]), checked)
    const readings = [expected, ...alternatives].map((reading) => pick(reading, checked))
    const miss = MISSES.get(id)
    if (miss !== undefined) it(`${id} (a known miss: ${miss})`, () => expect(readings).not.toContainEqual(whole()))
    else if (checked.length > 0) it(id, () => expect(readings).toContainEqual(whole()))
    it(`${id}, cut anywhere, reads the same`, () => {
      expect(read(text.split(''))).toEqual(read([text]))
      expect(read(chunks)).toEqual(read([text]))
    })
  }
})

function read(pieces: readonly string[]): Reading {
  const parser = hermes.parser()
  const { text, toolCalls } = collectDeltas([...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()])
  const calls = toolCalls.map((call) => {
    const parsed = parseArguments(call.arguments)
    return { name: call.name, arguments: parsed.ok ? parsed.value : parsed.code }
  })
  return { content: text.trim(), tool_calls: calls }
}

/** The parts that the case asserts; `null` and the empty text are one. */
function pick({ content, tool_calls: calls = [] }: Reading, checked: readonly string[]): object {
  return {
    ...(checked.includes('content') && { content: (content ?? '').trim() }),
    ...(checked.includes('count') && { count: calls.length }),
    ...(checked.includes('name') && { names: calls.map(({ name }) => name) }),
    ...(checked.includes('arguments') && { arguments: calls.map((call) => call.arguments) }),
  }
}
