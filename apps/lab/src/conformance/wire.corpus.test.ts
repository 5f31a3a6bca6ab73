/** Recorded Chat Completions traffic: what is read equals what the corpus says, and the comparator sees every change of it. */
import { join } from 'node:path'
import { openaiChat } from '@x/adapters/wire'
import { expect, it } from 'vitest'
import { corpusPath } from '../corpora.ts'
import { checkRawBody, type RawBody } from './raw-body.ts'
import { readJsonFiles } from './read-cases.ts'
import { describeCorpus } from './test-corpus.ts'
import { wrongReplies } from './test-mutants.ts'
import { compareReply } from './wire-compare.ts'
import { readReply } from './wire-read.ts'
import { checkWireCase, readWireCases } from './wire-suite.ts'

const cases = readWireCases(corpusPath('wire')).filter(({ dialect }) => dialect === openaiChat.name)
const bodies = readJsonFiles(join(corpusPath('wire'), 'raw')).map(({ json }) => json as RawBody)

/** Cases that this version does not read as expected, each with its reason. */
const MISSES: ReadonlyMap<string, string> = new Map([
  ['openai-chat-020-test-groq-model-web-search-tool', 'calls that the provider ran itself are not read yet'],
])

describeCorpus('openai-chat on recorded traffic', cases, () => {
  for (const wireCase of cases) {
    const miss = MISSES.get(wireCase.id)
    if (miss === undefined) it(wireCase.id, async () => expect((await checkWireCase(wireCase, [openaiChat])).faults).toEqual([]))
    else
      it(`${wireCase.id} (a known miss: ${miss})`, async () =>
        expect(await checkWireCase(wireCase, [openaiChat])).toMatchObject({ outcome: 'failed', rechunkingFailed: false }))
  }

  it('each expected value, made wrong, is a difference', () => {
    for (const { id, ...wireCase } of cases.filter((one) => !MISSES.has(one.id))) {
      const response = readReply(openaiChat, { id, ...wireCase })
      const unseen = [...wrongReplies(wireCase.expected)].filter(({ value }) => compareReply(response, value).length === 0)
      expect(
        unseen.map(({ path }) => path),
        id,
      ).toEqual([])
    }
  })
})

describeCorpus('undecoded bodies of server-sent events', bodies, () => {
  for (const body of bodies.filter(({ framing }) => framing === 'sse'))
    it(`${body.id} holds ${body.events} events, cut anywhere`, async () => expect((await checkRawBody(body)).faults).toEqual([]))
})
