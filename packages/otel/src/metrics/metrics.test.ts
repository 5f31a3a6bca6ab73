import type { LMResponse } from '@x/adapters'
import { describe, expect, it } from 'vitest'
import { agentOf, call, collectTelemetry } from '../../test/telemetry.ts'
import { traceRun } from '../spans/trace-run.ts'

const SCRIPT: readonly Partial<LMResponse>[] = [
  {
    toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1'), call('get_weather', { town: 1 }, 'c2')],
    usage: { inputTokens: 10, outputTokens: 4 },
  },
  { text: 'It is 21.', usage: { inputTokens: 20 } },
]

async function measured() {
  const telemetry = collectTelemetry()
  const { tracer, meter } = telemetry
  const agent = await agentOf(SCRIPT)
  await traceRun(agent.run({ question: '?' }), { tracer, meter, provider: 'openai', model: 'small' })
  return telemetry
}

describe('metrics', () => {
  it('have the names, units and buckets of the conventions', async () => {
    const { metrics } = await measured()
    const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
    const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
    const runSeconds = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6]
    const recorded = (await metrics()).map(({ descriptor: { name, unit }, dataPoints: [point] }) => [
      name,
      { unit, boundaries: point?.value.buckets.boundaries },
    ])
    expect(Object.fromEntries(recorded)).toEqual({
      'gen_ai.client.operation.duration': { unit: 's', boundaries: seconds },
      'gen_ai.client.token.usage': { unit: '{token}', boundaries: tokens },
      'gen_ai.execute_tool.duration': { unit: 's', boundaries: seconds },
      'gen_ai.invoke_agent.duration': { unit: 's', boundaries: runSeconds },
    })
  })

  it('count tokens by type if the provider reports them', async () => {
    const { points } = await measured()
    const asked = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'small' }
    expect(await points('gen_ai.client.token.usage')).toEqual([
      { attributes: { ...asked, 'gen_ai.token.type': 'input' }, count: 2, sum: 30 },
      { attributes: { ...asked, 'gen_ai.token.type': 'output' }, count: 1, sum: 4 },
    ])
  })

  it('count calls by tool and outcome, without call ids', async () => {
    const { points } = await measured()
    const tool = { 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.type': 'function', 'gen_ai.agent.name': 'guide' }
    const recorded = await points('gen_ai.execute_tool.duration')
    expect(recorded).toHaveLength(2)
    expect(recorded).toEqual(
      expect.arrayContaining([
        { attributes: tool, count: 1, sum: expect.any(Number) },
        { attributes: { ...tool, 'error.type': 'invalid_arguments' }, count: 1, sum: expect.any(Number) },
      ]),
    )
  })

  it('have the same duration as their span', async () => {
    const { points, span } = await measured()
    const { duration } = span('invoke_agent guide')
    const [point] = await points('gen_ai.invoke_agent.duration')
    expect(point?.sum).toBeCloseTo(duration[0] + duration[1] / 1e9, 5)
  })
})
