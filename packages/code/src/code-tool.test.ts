/** Tests programs that call tools. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRegistry, lazy } from '@x/registry'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { numberTool, resultOf, runCode, runTool } from '../test/agent.ts'
import { codeMode, codeTool } from './index.ts'

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

  it.each([
    ['tools.pay({ value: 1 }); return 2', 2],
    ['const main = async () => { await tools.pay({ value: 1 }); return 3 }; main()', null],
    ['await tools.get({ value: 2 }); tools.pay({ value: 1 }); return 4', 4],
  ])('has its calls executed that it does not await: %s', async (code, expected) => {
    const log: string[] = []
    const tools = [numberTool('get', { log }), numberTool('pay', { log, effect: 'write' })]
    expect(await resultOf(code, tools, options)).toBe(expected)
    expect(log.filter((line) => line === 'pay 1')).toHaveLength(1)
  })

  it.each([
    ['[tools.get({ value: 1 })]', "A promise can't be written as JSON. Await it first."],
    ['{ found: new Map([[1, 2]]) }', "A Map can't be written as JSON. Use Object.fromEntries(map)."],
    ['new Set([1])', "A Set can't be written as JSON. Use [...set]."],
    ['{ count: 1n }', "A BigInt can't be written as JSON. Use String(value)."],
    [
      '(() => { const a = {}; return { a: Object.assign(a, { a }) } })()',
      "A value that contains itself can't be written as JSON. Write only the members that you need.",
    ],
  ])('fails if it returns or passes %s', async (value, words) => {
    const tools = [numberTool('get')]
    expect(await runCode(`return ${value}`, tools, options)).toContain(`The program failed: TypeError: ${words}`)
    const code = `console.log(${value}); return await tools.get(${value}).catch((error) => error.message)`
    const text = await runCode(code, tools, options)
    expect(JSON.parse(text)).toMatchObject({ result: words, console: `${words}\n` })
  })

  it.each([
    ['() => 1', "A function can't be written as JSON. Call it, and use what it returns.", 'function'],
    ['Symbol("s")', "A symbol can't be written as JSON. Use String(value).", 'Symbol(s)'],
  ])('fails if its result or the arguments of a call are %s', async (value, words, shown) => {
    expect(await runCode(`return ${value}`, [], options)).toContain(`The program failed: TypeError: ${words}`)
    const code = `console.log(${value}); return await tools.get(${value}).catch((error) => error.message)`
    expect(JSON.parse(await runCode(code, [numberTool('get')], options))).toEqual({ result: words, console: `${shown}\n` })
  })

  it('returns members as JSON.stringify writes them', async () => {
    const code = `return { a: 1, f() {}, u: undefined, [Symbol('s')]: 2, s: Symbol('s'), n: [NaN, Infinity, () => 1, undefined], d: new Date() }`
    expect(await resultOf(code, [], options)).toEqual({ a: 1, n: [null, null, null, null], d: expect.any(String) })
  })

  it('returns the name, the message and the properties of an error', async () => {
    const code = `return [new RangeError('no'), await tools.get({ value: 'x' }).catch((error) => error)]`
    expect(await resultOf(code, [numberTool('get')], options)).toEqual([
      { name: 'RangeError', message: 'no' },
      expect.objectContaining({ name: 'ToolError', code: 'invalid_arguments', message: expect.stringContaining('/value') }),
    ])
  })

  it('cannot pass a Map after a `toJSON` in the same arguments has made a call', async () => {
    const code = `
      const value = { toJSON: () => (tools.get({ value: 1 }), 2) }
      return await tools.get({ value, found: new Map() }).catch((error) => error.message)`
    expect(await resultOf(code, [numberTool('get')], options)).toBe(
      "A Map can't be written as JSON. Use Object.fromEntries(map).",
    )
  })

  it('writes values as JSON as usual itself', async () => {
    const code = `
      let failure
      try { JSON.stringify(1n) } catch (error) { failure = error.name }
      return [JSON.stringify([new Map(), Promise.resolve(1), new Error('no')]), failure]`
    expect(await resultOf(code, [], options)).toEqual(['[{},{},{}]', 'TypeError'])
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

it('the console shows an object with a message as JSON, and an error as its name and message', async () => {
  const code = 'console.log({ message: "first", id: 3 }, new RangeError("no")); return 1'
  const shown = '{"message":"first","id":3} RangeError: no\n'
  expect(JSON.parse(await runCode(code, [], { inline: true }))).toEqual({ result: 1, console: shown })
})

it('the console has the usual methods, none of which fails', async () => {
  const code = `
    console.table([{ id: 1 }], ['id']); console.dir({ a: 1 }, { depth: 0 }); console.trace('at', 2); console.dirxml('x')
    console.assert(true, 'not shown'); console.assert(0, 'zero', { b: 2 }); console.assert()
    console.group('head'); console.log('in'); console.groupCollapsed('more'); console.groupEnd()
    console.time(); console.timeLog('t', 5); console.timeEnd(); console.timeStamp(); console.profile(); console.profileEnd()
    console.count(); console.count(); console.count('__proto__'); console.countReset(); console.count(); console.clear()
    return Object.keys(console).length`
  const lines = [
    ...['[{"id":1}]', '{"a":1}', 'at 2', 'x', 'Assertion failed zero {"b":2}', 'Assertion failed', 'head', 'in', 'more', 't 5'],
    ...['default: 1', 'default: 2', '__proto__: 1', 'default: 1', ''],
  ]
  expect(JSON.parse(await runCode(code, [], { inline: true }))).toEqual({ result: 22, console: lines.join('\n') })
})

it('the console shows its values although the program has changed the iteration of arrays and the prototype of objects', async () => {
  const code = `
    Array.prototype[Symbol.iterator] = () => { throw new Error('no') }
    Object.defineProperty(Object.prototype, 'a', { set() { throw new Error('no') } })
    console.assert(false, 1, 2); console.count('a'); console.table([1])`
  expect(JSON.parse(await runCode(code, [], { inline: true })).console).toBe('Assertion failed 1 2\na: 1\n[1]\n')
})

it('the console is cut only if something does not fit', async () => {
  const consoleOf = async (logLength: number) =>
    JSON.parse(await runCode('console.log("abc")', [], { inline: true, limits: { logLength } })).console
  expect(await consoleOf(4)).toBe('abc\n')
  expect(await consoleOf(3)).toBe('abc… (the rest of the console output is omitted)\n')
  const code = 'for (let n = 0; n < 100; n++) { console.assert(false, "x".repeat(99)); console.count("y".repeat(99)) }'
  const text = JSON.parse(await runCode(code, [], { inline: true, limits: { logLength: 50 } })).console
  expect(text).toBe(`Assertion failed ${'x'.repeat(33)}… (the rest of the console output is omitted)\n`)
})

it('a tool that is registered after `codeTool` is unknown to programs', async () => {
  const log: string[] = []
  const registry = createRegistry([numberTool('get', { log })])
  const tool = codeTool(registry, { limits: { timeMs: 600_000 } })
  registry.registerTool(numberTool('pay', { log, effect: 'write' }))
  const code =
    'const [found] = await tools.search({ query: "pay" }); return [found, await tools.pay({ value: 1 }).catch((e) => e.code)]'
  expect(tool.effect).toBe('read')
  expect(await runTool(tool, code)).toBe('{"result":[null,"unknown_tool"]}')
  expect(log).toEqual([])
})

it('a source that lists its tools only later, such as an MCP client, is used like a list with the source', async () => {
  const source = { name: 'shop', cards: () => [], tools: async () => [numberTool('shop_get')] }
  const code = 'return await tools.shop_get({ value: 1 }).catch(({ message }) => message)'
  expect(await runCode(code, source)).toBe(await runCode(code, [source]))
})

it.each([
  ['in a list', () => [numberTool('get_price')], 'the tools are get_price. Did you mean "get_price"?'],
  ['in a registry', () => createRegistry([numberTool('get_price')]), 'the tools are get_price. Did you mean "get_price"?'],
  ['without tools', () => createRegistry([]), 'there are no tools yet. Add the tools first, or leave it out.'],
  [
    'with many tools',
    () => Array.from({ length: 22 }, (_, index) => numberTool(`tool_${index}`)),
    'tool_19 and 2 more. Add the tools first, or leave it out.',
  ],
])('`allow` is refused if a pattern matches nothing %s', (_, tools, words) => {
  expect(() => codeTool(tools(), { allow: ['gte_*'] })).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(
        new RegExp(`^codeTool: allow lists "gte_\\*", which matches no tool: .*${words.replaceAll('?', '\\?')}$`),
      ),
    }),
  )
  expect(() => codeTool(tools(), { allow: ['*'] })).not.toThrow()
})

it('an invalid URL of the WebAssembly file is refused when the tool is defined', () => {
  expect(() => codeTool([], { wasm: 'https://' })).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('got https://') }),
  )
})

it.each(['then', 'toJSON', 'toString', 'valueOf'])('a tool named "%s" is refused, unless programs may not call it', (name) => {
  const tools = [numberTool(name), numberTool('get')]
  expect(() => codeTool(tools)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining(`programs can't call a tool named "${name}"`),
    }),
  )
  expect(() => codeTool(tools, { allow: ['get'] })).not.toThrow()
})

it.each(['catch', 'constructor', '__proto__', 'hasOwnProperty'])(
  'a tool named "%s" is called only by the program itself',
  async (name) => {
    const log: string[] = []
    const code = `
      const same = await tools
      const { value } = await same.${name}({ value: 1 })
      return [value, JSON.stringify(tools), \`\${Object.keys(tools)}\`, (await Promise.all([tools])).length, tools instanceof Object]`
    expect(await resultOf(code, [numberTool(name, { log })])).toEqual([1, '{}', '', 1, false])
    expect(log).toEqual([`${name} 1`])
  },
)

it('each tool uses the WebAssembly file that it was given', async () => {
  const wasm = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  const folder = mkdtempSync(join(tmpdir(), 'code-wasm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [copy, broken] = [join(folder, 'copy.wasm'), join(folder, 'broken.wasm')]
  copyFileSync(wasm, copy)
  writeFileSync(broken, 'not WebAssembly')
  const options = (file: string, inline: boolean) => ({ wasm: pathToFileURL(file), inline })
  const failure = {
    message: expect.stringContaining("broken.wasm isn't WebAssembly"),
    stack: expect.stringContaining('engine.js'),
  }
  for (const inline of [true, false]) {
    expect(await resultOf('return 1', [], options(wasm, inline))).toBe(1)
    await expect(runCode('return 2', [], options(broken, inline))).rejects.toMatchObject({
      code: 'steps_failed',
      message: expect.stringContaining("quickjs-wasi can't be loaded. Install it: npm i quickjs-wasi."),
      cause: { code: 'missing_package', cause: inline ? failure : failure.message },
    })
    expect(await resultOf('return 3', [], options(copy, inline))).toBe(3)
  }
})

it('the description allows types only if `ts-blank-space` is installed', () => {
  const about = () => JSON.stringify(codeTool([], { wasm: 'https://example.com/quickjs.wasm' }).args)
  expect(about()).toContain('with `await` and `return`. TypeScript types are allowed."')
  withoutPackages()
  expect(about()).toContain('with `await` and `return`."')
})

it('`quickjs-wasi` that is not installed is refused when the tool is defined, unless `wasm` says where its file is', () => {
  withoutPackages()
  const refused = expect.objectContaining({
    code: 'missing_package',
    message: expect.stringContaining("quickjs-wasi can't be loaded. Install it: npm i quickjs-wasi."),
  })
  expect(() => codeTool([])).toThrow(refused)
  expect(() => codeMode([], { callers: {} })).toThrow(refused)
  expect(() => codeTool([], { wasm: 'https://example.com/quickjs.wasm' })).not.toThrow()
})

/** Lets Node find no package for the rest of the test. */
function withoutPackages(): void {
  const resolve = (name: string) => {
    throw new Error(`Cannot find module '${name}'`)
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ ...module, createRequire: () => ({ resolve }) } as never)
  onTestFinished(() => void vi.restoreAllMocks())
}
