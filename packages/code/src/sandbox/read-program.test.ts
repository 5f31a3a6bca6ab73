/** Tests how programs are read. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { numberTool, resultOf, runCode } from '../../test/agent.ts'

const inline = { inline: true }

describe('a program', () => {
  it('with types is run without them', async () => {
    const code = `
      interface Point { x: number }
      type Name = string
      const add = <T extends Point>(point: T, by: number = 1): number => point.x + by
      const name = 'a' as Name
      return [add({ x: 1 } satisfies Point), name!.length]`
    expect(await resultOf(code, [], inline)).toEqual([2, 1])
  })

  it('that is JavaScript keeps its meaning, even if it looks like types', async () => {
    const code = 'const [a, b, c, f] = [1, 2, 3, (...values) => values.length]; return f(a<b, c>(3))'
    expect(await resultOf(code, [], inline)).toBe(2)
  })

  it.each([
    ['return 1 +', /line 1, column 11/],
    ['const a = 1\nconst a = 2', /line 2, column 7.*already been declared/],
    [
      'enum A { B }\nreturn A.B',
      /line 1, column 1: Only the types of TypeScript are supported, .* namespace\. Nothing was run\./,
    ],
    ['\n```js\nreturn 1\n```', /JavaScript: it starts with a Markdown fence \(```\)\. Nothing was run\. .*or Markdown\.$/],
    [`return ${'['.repeat(5_000)}`, /JavaScript: it is nested too deeply\. Nothing was run\./],
    ['const a: number = \nreturn a', /not valid JavaScript, line 2/],
    ['', /must NOT have fewer than 1 characters/],
  ])('%j is refused with its place', async (code, message) => {
    expect(await runCode(code, [], inline)).toMatch(message)
  })

  it.each([{ inline: false }, inline])('with 2,000 nested blocks is refused with %o', async (options) => {
    const code = `${'if (true) {'.repeat(2_000)} return 1 ${'}'.repeat(2_000)}`
    expect(await runCode(code, [], options)).toContain('is not valid JavaScript: it is nested too deeply. Nothing was run.')
  })

  it('with types is refused, with the reason, if `ts-blank-space` is not installed', async () => {
    vi.doMock('ts-blank-space', () => {
      throw new Error("Cannot find package 'ts-blank-space'")
    })
    onTestFinished(() => vi.doUnmock('ts-blank-space'))
    expect(await runCode('const a: number = 1\nreturn a', [], inline)).toContain(
      'line 1, column 8: Unexpected token. The types of TypeScript are not supported here. Nothing was run.',
    )
  })

  it('that throws reports the line', async () => {
    expect(await runCode('const a = null\n\nreturn a.b', [], inline)).toContain('The program failed in line 3: TypeError')
  })

  const add = numberTool('add', { effect: 'write' })
  const limits = { timeMs: 100, calls: 1, outputLength: 10, memoryBytes: 4 * 1024 * 1024 }

  it.each([
    ['throws', "throw new Error('No.')"],
    ['throws a question', "throw new Error('Is it?')"],
    ['never ends', 'await new Promise(() => {})'],
    ['runs out of time', 'for (;;) {}'],
    ['runs out of memory', "const all = []; for (;;) all.push('x'.repeat(1e5) + all.length)"],
    ['returns too much', "return 'x'.repeat(100)"],
    ['makes too many calls', 'await tools.get({ value: 1 }); await tools.get({ value: 2 })'],
  ])('that %s after a write reports that its calls are not undone', async (_, end) => {
    const tools = [add, numberTool('get')]
    const run = (code: string) => runCode(code, tools, { ...inline, limits: { ...limits, calls: code.includes('add') ? 2 : 1 } })
    const text = await run(`await tools.add({ value: 1 })\n${end}`)
    expect(text).toMatch(/[^.][.!?] Calls that it had already made are not undone\. Don't repeat those that change something\.$/)
    expect(await run(end)).not.toContain('not undone')
  })

  it.each([
    ['reads', "await tools.get({ value: 1 }); throw new Error('no')"],
    ['was refused', "await tools.add({ value: 'x' })"],
    ['was rejected', 'await tools.pay({ value: 1 })'],
  ])('that fails after a call that only %s does not report calls', async (_, code) => {
    const tools = [numberTool('get'), add, numberTool('pay', { effect: 'write', needsApproval: true })]
    const text = await runCode(code, tools, inline, { approve: () => false })
    expect(text).toContain('The program failed')
    expect(text).not.toContain('not undone')
  })

  it('that is too long is not run', async () => {
    expect(await runCode(`return 1 //${'x'.repeat(100)}`, [], { ...inline, limits: { codeLength: 50 } })).toContain(
      'The limit is 50',
    )
  })
})
