/** How much of its prompt a run with search keeps from request to request, in every wire format. */
import { type LMRequest, textAdapter } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { WIRES } from '../wires.ts'
import { measurePrefix } from './kept-prefix.ts'
import { SEARCHING_APIS } from './provider-search.ts'
import { playTask } from './task.ts'

const whole = { 'with call_tool': await playTask({ way: 'call_tool' }), 'with added tools': await playTask({ way: 'tools' }) }
const shortened = await playTask({ way: 'call_tool', maxTokens: 4_000 })

describe.each(WIRES.map((wire) => [wire.name, wire] as const))('in %s', (_, wire) => {
  it('a run of 30 steps with five searches and a resume keeps all of its prompt', () => {
    expect(measurePrefix(whole['with call_tool'], wire, 'model').share).toBeGreaterThanOrEqual(0.995)
  })

  it('a run whose oldest turns are left out keeps what is before them', () => {
    expect(measurePrefix(shortened, wire, 'model').share).toBeGreaterThanOrEqual(0.995)
  })

  it('a run that adds found tools to its tools keeps less', () => {
    expect(measurePrefix(whole['with added tools'], wire, 'model').share).toBeLessThan(0.95)
  })
})

describe.each(SEARCHING_APIS.map((api) => [api.wire.name, api] as const))('a run of 30 steps that %s searches for', (_, api) => {
  it('keeps all of its prompt, which has only the tools that were found', async () => {
    const requests = await playTask({ way: 'provider', api })
    const { share, sent } = measurePrefix(requests, api.wire, api.model)
    expect(share).toBeGreaterThanOrEqual(0.995)
    const last = JSON.stringify(api.wire.encode(requests.at(-1) as LMRequest, api.model))
    expect(sent / requests.length).toBeLessThan(last.length / 10)
    expect(last.match(/"type":"(?:tool_search_tool_result|tool_search_output)"/g)).toHaveLength(5)
  })
})

it('leaves out turns at least twice in the run that does so', () => {
  const isShorter = ({ messages }: { messages: readonly unknown[] }, index: number) =>
    index > 0 && messages.length < (shortened[index - 1]?.messages.length ?? 0)
  expect(shortened.filter(isShorter).length).toBeGreaterThanOrEqual(2)
})

it.each(['call_tool', 'tools'] as const)('a run in text mode keeps all of its prompt, with %s', async (way) => {
  const requests = await playTask({ way, adapter: textAdapter(hermes) })
  expect(measurePrefix(requests, openaiChat, 'model').share).toBeGreaterThanOrEqual(0.995)
})
