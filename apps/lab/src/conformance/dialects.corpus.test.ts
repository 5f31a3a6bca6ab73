/** Model text in our dialects: what is read equals what the corpus says, however it is cut, and the comparator sees every change. */
import { hermes } from '@x/adapters/dialects'
import { expect, it } from 'vitest'
import { corpusPath } from '../corpora.ts'
import { compareText } from './dialect-case.ts'
import { checkDialectCase, readDialectCases, readPieces } from './dialect-suite.ts'
import { describeCorpus } from './test-corpus.ts'
import { wrongReadings } from './test-mutants.ts'

const cases = readDialectCases(corpusPath('dialects')).filter(({ dialect }) => dialect === hermes.name)

const REASONING = 'reasoning is not told apart yet'

/** Cases that this version does not read as expected, each with its reason. Cutting the text must not matter for them either. */
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

describeCorpus('hermes on model text', cases, () => {
  for (const dialectCase of cases) {
    const { id } = dialectCase
    const miss = MISSES.get(id)
    if (miss === undefined) it(id, () => expect(checkDialectCase(dialectCase, [hermes]).faults).toEqual([]))
    else
      it(`${id} (a known miss: ${miss})`, () => {
        const { outcome, faults } = checkDialectCase(dialectCase, [hermes])
        expect(outcome).toBe('failed')
        expect(faults.filter((fault) => fault.startsWith('streamed'))).toEqual([])
      })
  }

  it('each checked part, made wrong, is a difference', () => {
    for (const { id, ...dialectCase } of cases.filter((one) => !MISSES.has(one.id))) {
      const response = readPieces(hermes, [dialectCase.text])
      const readings = [dialectCase.expected, ...(dialectCase.alternatives ?? [])]
      const isSeen = (expected: (typeof readings)[number]) =>
        compareText(response, { id, ...dialectCase, expected, alternatives: [] }).length > 0
      const right = readings.find((reading) => !isSeen(reading)) ?? dialectCase.expected
      const unseen = [...wrongReadings(right, dialectCase.checked)].filter(({ value }) => !isSeen(value))
      expect(
        unseen.map(({ path }) => path),
        id,
      ).toEqual([])
    }
  })
})
