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

/** A scenario starts two processes. Without X_FULL, every eighth scenario of the newer revision is run. */
const [revisions, step] = process.env.X_FULL ? [REVISIONS, 1] : [REVISIONS.slice(0, 1), 8]

it.each(revisions)('a client passes the checks of %s, except those that are listed', async (revision) => {
  const { findings, scenarios } = await runClientSuite(program, revision, step)
  expect(compare(findings, revision, 'client', scenarios)).toEqual({ unexpected: [], stale: [] })
})
