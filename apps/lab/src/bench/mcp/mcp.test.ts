/** Tests the servers of the bench: each serves every tool, and a server that doesn't is detected. */
import { expect, it, onTestFinished } from 'vitest'
import { mcp } from './mcp.ts'
import { type ListedTool, type ListingSubject, openListing } from './mcp-listing.ts'
import { own, ownServer, sdk } from './mcp-subjects.ts'

it.each(Object.entries({ sdk, ownServer, own }))(
  '%s serves and lists every tool, page by page, again and again',
  async (_, subject) => {
    const listing = await openListing(subject, { count: 250, pageSize: 100 })
    onTestFinished(() => listing.close())
    await listing.verify()
    await listing.run()
    expect(listing.units).toBe(250)
  },
)

it('names the subjects and cases of its goals', () => {
  for (const cell of mcp.goals.flatMap((goal) => [goal.cell, goal.over])) {
    expect(mcp.subjects.map(({ name }) => name)).toContain(cell.subject)
    expect(mcp.cases).toContain(cell.case)
  }
})

function cheat(change: (tools: readonly ListedTool[]) => readonly ListedTool[]): ListingSubject {
  return { serve: async (definitions) => ({ list: async () => change(definitions), close: async () => {} }) }
}

it.each([
  ['omits a tool', cheat((tools) => tools.slice(1)), '9 tools were listed, not 10'],
  ['lists a tool twice', cheat((tools) => [...tools.slice(0, -1), tools[0] as ListedTool]), 'The last tool is lookup_0'],
  [
    'changes a schema',
    cheat((tools) => tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } }))),
    'lookup_0 was listed as',
  ],
])('rejects a server that %s', async (_, subject, problem) => {
  const listing = await openListing(subject, { count: 10, pageSize: 5 })
  await expect(listing.verify()).rejects.toThrow(problem)
})
