import { createRegistry } from '@x/registry'
import { dispatch, type Tool, type ToolMap, type ToolResult } from '@x/tool-core'
import { afterEach, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../sql/database.ts'
import { IN_MEMORY } from '../sql/place.ts'
import type { DemoRequest, ExpectedCall } from './domain.ts'
import { DOMAINS } from './index.ts'
import { loadDomain } from './load-domain.ts'

/** A placeholder for text that a model may choose freely, such as the key of an entry. */
const FREE_WORDS = 'words of the model'

const domains = await Promise.all(DOMAINS.map(loadDomain))
const databases: Database[] = []

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()))
})

describe.each(domains)('the requests of $name', ({ createTools, scenarios }) => {
  it.each(scenarios)('$title: every expected call does what it must', async ({ requests }) => {
    const database = createDatabase({ kind: 'sqlite', file: IN_MEMORY })
    databases.push(database)
    const tools = await createRegistry(createTools(database)).resolve()
    const isFree = requests.some(({ expected }) => expected.some((call) => missingOf(tools, call).length > 0))
    for (const request of requests) {
      const results = await replay(tools, request)
      expect(results.map(outcomeOf), request.request).toEqual(
        request.expected.map(({ tool, fails = false }) => ({ tool, ok: !fails, said: expect.any(String) })),
      )
      if (isFree || request.answer === undefined) continue
      const said = results.map((result) => outcomeOf(result).said).join('\n')
      expect(said.toLowerCase(), request.request).toContain(request.answer.toLowerCase())
    }
  })

  it('include one that no tool serves, and repeat none in a scenario', () => {
    expect(scenarios.flatMap(({ requests }) => requests).some(({ expected }) => expected.length === 0)).toBe(true)
    for (const { title, requests } of scenarios)
      expect(new Set(requests.map(({ request }) => request)).size, title).toBe(requests.length)
  })

  it('start with two to six that the tour shows', () => {
    expect(scenarios[0]?.requests.length).toBeGreaterThanOrEqual(2)
    expect(scenarios[0]?.requests.length).toBeLessThanOrEqual(6)
  })
})

async function replay(tools: ToolMap, { expected, user = 'demo' }: DemoRequest): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  for (const call of expected) {
    const free = Object.fromEntries(missingOf(tools, call).map((name) => [name, FREE_WORDS]))
    const made = { id: String(results.length), name: call.tool, args: { ...free, ...call.args } }
    results.push(await dispatch(tools, made, { values: { user_id: user }, approve: () => true }))
  }
  return results
}

/** Returns the required arguments for which the request doesn't determine a single right value. */
function missingOf(tools: ToolMap, { tool, args = {} }: ExpectedCall): readonly string[] {
  const required = (tools.get(tool) as Tool).arguments.filter((argument) => argument.required)
  return required.map(({ name }) => name).filter((name) => !(name in args))
}

function outcomeOf(result: ToolResult) {
  return { tool: result.call.name, ok: result.ok, said: result.ok ? JSON.stringify(result.output) : result.error.message }
}
