import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LM } from '@x/adapters'
import { recordLM, replayLM } from '@x/lm/cassette'
import { openaiCompatible } from '@x/lm/presets'
import { expect, it, onTestFinished } from 'vitest'
import { openaiServer } from '../../test/openai-server.ts'
import type { Domain } from '../domains/domain.ts'
import memory from '../domains/memory/index.ts'
import { plannerLM } from '../planner/planner-lm.ts'
import { openSession, type RequestRecord } from './session.ts'

const REQUESTS = ['Remember that my favorite tea is Blue Lotus', 'What is my favorite tea?', 'List all stored keys']

/** Holds the conversation with new data. Returns the calls and the answers. */
async function converse(lm: LM, domain: Domain) {
  const session = await openSession({ name: 'demo', lm, domains: [domain], place: { kind: 'sqlite', file: ':memory:' } })
  try {
    const records: RequestRecord[] = []
    for (const request of REQUESTS) records.push(await session.ask(request, { history: records.at(-1)?.trajectory }))
    return records.map(({ answer, answered, calls, failure }) => ({ answer, answered, calls, cause: failure?.cause }))
  } finally {
    await session.close()
  }
}

it('is replayed without a request, and a changed prompt is reported with its differences', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'memory.json')
  const server = await openaiServer(plannerLM({ isCautious: true }))
  const lm = openaiCompatible({ baseURL: server.url, model: 'loopback', retries: 0 })
  const recorded = await converse(recordLM(lm, file), memory)
  expect(recorded.map(({ answered }) => answered)).toEqual([true, true, true])
  expect(recorded[1]?.answer).toContain('Blue Lotus')
  const sent = server.bodies.length
  expect(sent).toBe(6)

  const replayed = replayLM(file)
  expect(await converse(replayed, memory)).toEqual(recorded)
  replayed.assertDone()
  expect(server.bodies).toHaveLength(sent)

  const changed = { ...memory, instructions: memory.instructions.replace('.', ', and be polite.') }
  const [first] = await converse(replayLM(file), changed)
  expect(first).toMatchObject({ answered: false, cause: { code: 'cassette_drift' } })
  const message = first?.cause instanceof Error ? first.cause.message : ''
  expect(message.replace(file, 'memory.json')).toMatchInlineSnapshot(`
    "replayLM: request 1 differs from the recorded one in memory.json:
    messages[0].content
    - Remember things for the user and find them again.
    + Remember things for the user and find them again, and be polite.
      Use the tools as needed, then answer in plain language. If no tool can serve the request, say so and call no tool.
    Undo the change to the program, or record again with recordLM."
  `)
  expect(server.bodies).toHaveLength(sent)
  // The tools are the same in all requests, so the file has them once.
  expect(readFileSync(file, 'utf8').match(/"tools":/g)).toHaveLength(1)
})
