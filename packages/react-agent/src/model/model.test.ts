import { defineSignature, type LM, type LMRequest } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { aTurn, event } from '../../test/clock.ts'
import { createReactAgent } from '../react-agent.ts'

const answer = defineSignature({ inputs: { question: Type.String() }, outputs: { answer: Type.String() }, instructions: '' })
const search = defineTool({ name: 'search', description: 'Searches.', args: Type.Object({}), execute: () => [] })

it('includes settings and provider options in every request', async () => {
  const lm = scriptedLM([{ toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }] }, { text: 'Done' }])
  const asked = { settings: { temperature: 0 }, strictTools: true, providerOptions: { store: false } }
  const agent = await createReactAgent({ lm, tools: [search], signature: answer, ...asked })
  await agent.run({ question: '?' })
  expect(lm.requests.map(({ settings, strictTools, providerOptions }) => ({ settings, strictTools, providerOptions }))).toEqual([
    asked,
    asked,
  ])
})

it('closes a stream that ignores the signal, and stops reading it', async () => {
  const abort = new AbortController()
  let pieces = 0
  const { reach: close, reached: closed } = event()
  const deaf: LM = {
    generate: async () => ({ text: '', toolCalls: [] }),
    async *stream(_: LMRequest) {
      try {
        for (;;) {
          await aTurn()
          if (++pieces === 3) abort.abort()
          yield { type: 'text', text: 'on and on ' }
        }
      } finally {
        close()
      }
    },
  }
  const agent = await createReactAgent({ lm: deaf, tools: [search], signature: answer, stream: true })
  await expect(agent.run({ question: '?' }, { signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' })
  await closed
  expect(pieces).toBe(3)
})

it("includes the provider's finish reason when a reply is incomplete", async () => {
  const lm = scriptedLM([{ finishReason: 'error', rawFinishReason: 'MALFORMED_FUNCTION_CALL' }])
  const agent = await createReactAgent({ lm, tools: [search], signature: answer })
  await expect(agent.run({ question: '?' })).rejects.toThrow('is incomplete (MALFORMED_FUNCTION_CALL)')
})
