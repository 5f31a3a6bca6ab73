/** Runs the same evaluation with the rules alone, over HTTP, and on PostgreSQL. All must serve the same requests with the same calls. */
import { beforeAll, expect, it } from 'vitest'
import { openaiServer } from '../../test/openai-server.ts'
import { runHere } from '../../test/program.ts'
import { onPostgres } from '../../test/sql/databases.ts'
import { plannerLM } from '../planner/planner-lm.ts'

async function evaluate(environment: NodeJS.ProcessEnv, ...options: string[]) {
  const { code, out, err } = await runHere(['eval', '--json', ...options], { environment })
  expect([code, err]).toEqual([0, ''])
  // Answers contain the time of a booking.
  return JSON.parse(out.replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)/g, 'a time')) as Record<string, unknown>
}

let alone: Record<string, unknown>
beforeAll(async () => {
  alone = await evaluate({})
})

it('serves as many requests with an OpenAI-compatible server that follows the rules as with the rules alone', async () => {
  const server = await openaiServer(plannerLM({ isCautious: true }))
  const overHttp = await evaluate({ OPENAI_BASE_URL: server.url }, '--lm', 'openai:loopback')
  expect(alone).toMatchObject({ model: 'rules, not a model', total: { requests: 114, passed: 109 } })
  expect(overHttp).toEqual({ ...alone, model: 'loopback (openai)' })
  // One request to answer, and one for each round of calls.
  expect(server.bodies.length).toBeGreaterThan(200)
  expect(server.bodies[0]).toMatchObject({ model: 'loopback', tools: expect.arrayContaining([expect.anything()]) })
})

onPostgres((_, url) => {
  it('has the same result as on SQLite', async () => {
    const onServer = await evaluate({ DATABASE_URL: url() })
    expect(onServer).toEqual({ ...alone, database: 'postgres' })
    expect(onServer.enough).toBe(true)
  })
})
