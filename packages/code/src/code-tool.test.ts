/** Tests programs that call tools. */
import { createRegistry, lazy } from '@x/registry'
import { describe, expect, it, vi } from 'vitest'
import { numberTool, resultOf, runCode, runTool } from '../test/agent.ts'
import { codeTool } from './index.ts'

describe.each([{ inline: false }, { inline: true }])('a program with %o', (options) => {
  it('returns its result and its console', async () => {
    expect(await runCode('console.log("a", { b: 1 }); return 1 + 1', [], options)).toBe(
      '{"result":2,"console":"a {\\"b\\":1}\\n"}',
    )
  })

  it('calls tools one after the other and side by side', async () => {
    const log: string[] = []
    const code = `
      const first = await tools.get({ value: 1 })
      const rest = await Promise.all([2, 3, 4].map((value) => tools.get({ value })))
      return [first, ...rest].map(({ value }) => value * 10)`
    expect(await resultOf(code, [numberTool('get', { log })], options)).toEqual([10, 20, 30, 40])
    expect(log).toEqual(['get 1', 'get 2', 'get 3', 'get 4'])
  })

  it('gets an error with code and issues from a failed call', async () => {
    const code = `try { await tools.get({ value: 'x' }) } catch (error) { return [error.name, error.code, error.tool, error.issues[0].path, error instanceof Error] }`
    expect(await resultOf(code, [numberTool('get')], options)).toEqual(['ToolError', 'invalid_arguments', 'get', '/value', true])
  })
})

it('a tool that cannot be loaded is described without the names of other tools', async () => {
  const load = async () => {
    throw new Error('no module')
  }
  const registry = createRegistry([numberTool('get_secret'), lazy('broken', load as never, { description: 'Broken.' })])
  expect(await resultOf(`return await tools.describe({ name: 'broken' })`, registry, { allow: ['broken'] })).toBe(
    'The tool "broken" could not be loaded and was not run. Continue without it.',
  )
})

it('a program is out of time although the clock of the system has stopped', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
  try {
    const code = 'let n = 0; while (n < 2e7) n++; return n'
    expect(await runCode(code, [], { inline: true, limits: { timeMs: 20 } })).toContain('computed for longer than 20 ms')
  } finally {
    clock.mockRestore()
  }
})

it('a tool that is registered after `codeTool` is unknown to programs', async () => {
  const log: string[] = []
  const registry = createRegistry([numberTool('get', { log })])
  const tool = codeTool(registry)
  registry.registerTool(numberTool('pay', { log, effect: 'write' }))
  const code =
    'const [found] = await tools.search({ query: "pay" }); return [found, await tools.pay({ value: 1 }).catch((e) => e.code)]'
  expect(tool.effect).toBe('read')
  expect(await runTool(tool, code)).toBe('{"result":[null,"unknown_tool"]}')
  expect(log).toEqual([])
})

it('an invalid URL of the WebAssembly file is refused when the tool is defined', () => {
  expect(() => codeTool([], { wasm: 'https://' })).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('got https://') }),
  )
})
