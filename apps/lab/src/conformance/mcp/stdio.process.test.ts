/** Runs our client and our server in two processes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { mcp } from '@x/mcp'
import { callTool, type Tool } from '@x/tool-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { bundle } from '../../bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-stdio-'))
const program = join(folder, 'program.mjs')
const modules = resolve(import.meta.dirname, '../../../node_modules')
beforeAll(() =>
  bundle(join(import.meta.dirname, 'stdio-program.ts'), program, modules, ['@modelcontextprotocol/*', 'ajv', 'ajv-formats']),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('our client calls the tools of our server, answers its question, and ends its process', async () => {
  const elicit = vi.fn(async () => ({ action: 'accept' as const, content: {} }))
  const source = mcp('files', { command: process.execPath, args: [program] }, { elicit, connectTimeoutMs: 600_000 })
  const [pid, remove] = (await source.tools()) as [Tool, Tool]
  const { output } = (await callTool(pid, { id: '1', name: pid.name, args: {} })) as { output: unknown }
  const server = Number(/\d+/.exec(JSON.stringify(output))?.[0])
  expect(isRunning(server)).toBe(true)
  const removed = await callTool(remove, { id: '2', name: remove.name, args: { path: '/a' } })
  expect(JSON.stringify(removed)).toContain('removed /a')
  expect(elicit).toHaveBeenCalledTimes(1)
  await source.close()
  await expect.poll(() => isRunning(server)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
