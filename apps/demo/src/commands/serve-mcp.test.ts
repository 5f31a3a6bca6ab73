import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type McpAnswer, type McpQuestion, type McpServer, mcp } from '@x/mcp'
import { callTool, type ToolResult } from '@x/tool-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { builtDemo } from '../../test/build.ts'
import { programIn, QUICK } from '../../test/program.ts'

const program = await builtDemo()
const { start, run } = programIn(program)
const folder = mkdtempSync(join(tmpdir(), 'demo-mcp-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A client whose user gives these answers. */
function connect(server: McpServer, answers: readonly McpAnswer['action'][] = []) {
  const questions: McpQuestion[] = []
  const left = [...answers]
  const source = mcp('demo', server, {
    trust: ['readOnlyHint'],
    timeoutMs: 600_000,
    connectTimeoutMs: 600_000,
    elicit(question) {
      questions.push(question)
      return { action: left.shift() ?? 'cancel' }
    },
  })
  onTestFinished(() => source.close())
  const call = async (name: string, args: object = {}): Promise<ToolResult> => {
    const tool = await source.tool(name)
    if (tool === undefined) throw new Error(`There is no tool ${name}`)
    return callTool(tool, { id: '1', name, args: args as Record<string, unknown> })
  }
  return { source, questions, call }
}

function overStdio(...options: string[]): McpServer {
  return { command: process.execPath, args: [...QUICK, join(program, 'main.js'), 'serve-mcp', ...options] }
}

const shown = (result: ToolResult) => (result.ok ? JSON.stringify(result.modelOutput) : result.error.message)
const KEYBOARD = { product_id: 'KEY-502', quantity: 2 }

describe('serve-mcp', () => {
  it('serves the tools of all domains over stdio, and asks before a write', async () => {
    const { source, questions, call } = connect(overStdio('--db', join(folder, 'stdio.sqlite')), ['decline', 'accept'])
    expect((await source.tools()).map(({ name }) => name)).toContain('demo_give_hint')
    expect(source.instructions).toContain('Help a customer of a bank')
    expect(await call('demo_search_products', { query: 'laptop' })).toMatchObject({ ok: true })
    expect(await call('demo_give_hint', { hint_total: 0 })).toMatchObject({ ok: true })
    expect(source.cards().find(({ name }) => name === 'demo_give_hint')).toMatchObject({
      args: { properties: { hint_total: {} } },
      effect: 'read',
    })
    expect(questions).toEqual([])
    expect(await call('demo_add_to_cart', KEYBOARD)).toMatchObject({ ok: false })
    expect(shown(await call('demo_view_cart'))).not.toContain('KEY-502')
    expect(await call('demo_add_to_cart', KEYBOARD)).toMatchObject({ ok: true })
    expect(shown(await call('demo_view_cart'))).toContain('KEY-502')
    expect(questions).toHaveLength(2)
    expect(questions[0]).toMatchObject({ mode: 'form', message: expect.stringContaining('KEY-502') })
  })

  it('serves one domain over HTTP, for one user, until it is stopped', async () => {
    const words = ['serve-mcp', '--port', '0', '--domain', 'finance', '--user', 'bob', '--db', ':memory:']
    const { child, output } = start(words)
    await expect.poll(() => output.err).toMatch(/Serving .* at (http:\S+)\./)
    const [, url = ''] = /at (http:\S+)\./.exec(output.err) ?? []
    const { source, questions, call } = connect({ url }, ['accept'])
    expect((await source.tools()).map(({ name }) => name)).not.toContain('demo_view_cart')
    const owned = shown(await call('demo_list_accounts'))
    expect(owned).toContain('ACC-')
    expect(shown(await call('demo_pay_bill', { payee: 'Rail', amount: 10, account: 'checking', note: '' }))).toContain('Rail')
    expect(questions).toHaveLength(1)
    await source.close()
    child.kill('SIGTERM')
    await expect.poll(() => child.exitCode).toBe(143)
    expect(output.out).toBe('')
  })

  it('reports a port that is in use, and one that is no port', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await expect.poll(() => taken.address()).toBeTruthy()
    const { port } = taken.address() as AddressInfo
    const { code, err } = await run(['serve-mcp', '--port', String(port), '--db', ':memory:'])
    expect([code, err]).toEqual([
      2,
      `Port ${port} can't be used (EADDRINUSE). Pass another one to --port, or 0 for any free port.\n`,
    ])
    expect(await run(['serve-mcp', '--port', '70000'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('from 0 to 65535'),
    })
  })
})
