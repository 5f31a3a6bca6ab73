/** Runs the official MCP conformance suite against our server. docs/mcp.md contains the figures. */
import { serveMcp } from '@x/mcp/server'
import { expect, it } from 'vitest'
import { compare } from './compare.ts'
import { REVISIONS, runServerSuite } from './run-suite.ts'
import { createConformanceTools } from './tools.ts'

it.each(REVISIONS)('a server passes the checks of %s, but for those that are listed', async (revision) => {
  const server = serveMcp(createConformanceTools(), { name: 'conformance', version: '1.0.0' })
  const { port } = await server.listen()
  try {
    // The URL has a local name, because the suite tests the protection against DNS rebinding.
    const { findings } = await runServerSuite(`http://localhost:${port}/mcp`, revision)
    expect(compare(findings, revision, 'server')).toEqual({ unexpected: [], stale: [] })
  } finally {
    await server.close()
  }
})
