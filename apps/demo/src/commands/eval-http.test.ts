import { expect, it } from 'vitest'
import { openaiServer } from '../../test/openai-server.ts'
import { runHere } from '../../test/program.ts'
import { plannerLM } from '../planner/planner-lm.ts'

it('serves as many requests with an OpenAI-compatible server that follows the rules as with the rules alone', async () => {
  const server = await openaiServer(plannerLM({ isCautious: true }))
  const evaluate = async (...options: string[]) => {
    const { code, out, err } = await runHere(['eval', '--json', ...options], { environment: { OPENAI_BASE_URL: server.url } })
    expect([code, err]).toEqual([0, ''])
    // Answers contain the time of a booking.
    return JSON.parse(out.replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)/g, 'a time')) as Record<string, unknown>
  }
  const [alone, overHttp] = [await evaluate(), await evaluate('--lm', 'openai:loopback')]
  expect(alone).toMatchObject({ model: 'rules, not a model', total: { requests: 114, passed: 109 } })
  expect(overHttp).toEqual({ ...alone, model: 'loopback (openai)' })
  // One request to answer, and one for each round of calls.
  expect(server.bodies.length).toBeGreaterThan(200)
  expect(server.bodies[0]).toMatchObject({ model: 'loopback', tools: expect.arrayContaining([expect.anything()]) })
})
