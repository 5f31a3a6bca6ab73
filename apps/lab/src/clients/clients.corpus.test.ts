/** Replays recorded replies from a loopback server. The providers' own clients and `createLM` must read them in the same way. */
import { collectDeltas, type LM, type LMRequest, type LMResponse } from '@x/adapters'
import { createLM } from '@x/lm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeCorpus } from '../../test/conformance/corpus.ts'
import type { WireCase } from '../conformance/wire/wire-case.ts'
import { readWireCases } from '../conformance/wire/wire-suite.ts'
import { corpusPath } from '../corpora.ts'
import { findWire } from '../wires.ts'
import { anthropicClient } from './anthropic.ts'
import { type ClientReading, compareReadings } from './client-reading.ts'
import { DISAGREEMENTS } from './disagreements.ts'
import { geminiClient } from './gemini.ts'
import type { OfficialClient } from './official-client.ts'
import { openaiChatClient } from './openai-chat.ts'
import { openaiResponsesClient } from './openai-responses.ts'
import { type ReplayServer, startReplayServer } from './replay-server.ts'

const request: LMRequest = { messages: [{ role: 'user', content: 'Hello' }] }
const clients = [openaiChatClient, openaiResponsesClient, anthropicClient, geminiClient]

let server: ReplayServer
beforeAll(async () => {
  server = await startReplayServer()
})
afterAll(() => server[Symbol.asyncDispose]())

for (const client of clients) {
  const cases = readWireCases(corpusPath('wire')).filter(({ dialect }) => dialect === client.wire)
  describeCorpus(`the official client of ${client.wire}`, cases, () => {
    for (const recorded of cases) {
      const reason = DISAGREEMENTS.get(recorded.id)
      if (reason === undefined) it(`agrees on ${recorded.id}`, async () => expect(await compare(client, recorded)).toEqual([]))
      else it(`disagrees on ${recorded.id}: ${reason}`, async () => expect(await compare(client, recorded)).not.toEqual([]))
    }
  })
}

/** Compares both readings. Two failures count as equal here, because error messages are compared elsewhere. */
async function compare(client: OfficialClient, recorded: WireCase): Promise<readonly string[]> {
  server.replay(recorded)
  const stream = recorded.chunks !== undefined
  const [theirs, ours] = [await settle(client.read(server.origin, stream)), await settle(readOwn(client, stream))]
  if ('failure' in theirs) return 'failure' in ours ? [] : [`the client failed: ${theirs.failure}`]
  return 'failure' in ours ? [`ours failed: ${ours.failure}`] : compareReadings(theirs.value, ours.value)
}

type Settled<Value> = { readonly value: Value } | { readonly failure: string }

function settle<Value extends ClientReading | LMResponse>(reading: Promise<Value>): Promise<Settled<Value>> {
  return reading.then(
    (value) => ({ value }),
    (error: unknown) => ({ failure: String(error).slice(0, 200) }),
  )
}

async function readOwn({ wire, path }: OfficialClient, stream: boolean): Promise<LMResponse> {
  const lm: Required<LM> = createLM({ wire: findWire(wire), baseURL: server.origin + path, model: 'm', retries: 0 })
  if (!stream) return lm.generate(request)
  const deltas = []
  for await (const delta of lm.stream(request)) deltas.push(delta)
  return collectDeltas(deltas)
}
