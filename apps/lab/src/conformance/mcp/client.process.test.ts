/** Runs the official MCP conformance suite against our client. docs/mcp.md contains the figures. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../bundle.ts'
import { compare } from './compare.ts'
import { REVISIONS, runClientSuite } from './run-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-client-'))
const program = join(folder, 'client.mjs')
const modules = resolve(import.meta.dirname, '../../../node_modules')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'client.ts'), program, modules, ['@modelcontextprotocol/*', 'ajv', 'ajv-formats']),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A scenario starts two processes. Without X_FULL, the older revision isn't run. */
const revisions = process.env.X_FULL ? REVISIONS : REVISIONS.slice(0, 1)

it.each(revisions)('a client passes the checks of %s, but for those that are listed', async (revision) => {
  const { findings } = await runClientSuite(program, revision)
  expect(compare(findings, revision, 'client')).toEqual({ unexpected: [], stale: [] })
})
