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
    ['const a = 1\n\n// B\n/* C */ enum A { B }\nreturn A.B', /line 4, column 9: Only the types of TypeScript are supported/],
    ['return <p>a</p>', /column 8: Only the types of TypeScript are supported, not JSX, .* or namespace\. Nothing was run\./],
    ['let a\nimport a from "a"', /line 2, column 1: a program has no modules, so it can have no `import` or `export`\. Nothing/],
    ['export default 1', /column 1: a program has no modules, so it can have no `import` or `export`\. Nothing/],
    ['return import.meta', /column 8: a program has no modules, so it has no `import\.meta`\. Nothing/],
    ['await using a = null', /column 1: a `using` declaration must be in a block or a function\. Nothing/],
    ['const package = 1', /line 1, column 7: .*Nothing was run/],
    ['\nconst package = 1', /line 2, column 7: .*Nothing was run/],
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
      'line 1, column 8: Unexpected token. The types of TypeScript are not supported here. Write plain JavaScript. Nothing was run.',
    )
  })

  it('that throws reports the line', async () => {
    expect(await runCode('const a = null\n\nreturn a.b', [], inline)).toContain('The program failed in line 3: TypeError')
  })

  it('that does not catch the error of a call reports the line of the call', async () => {
    const tools = [numberTool('get'), numberTool('fail', { execute: () => Promise.reject(new Error('No.')) })]
    const code = 'await tools.get({ value: 1 })\nconst call = (value) =>\n  tools.fail({ value })\nreturn await call(1)'
    expect(await runCode(code, tools, inline)).toContain('The program failed in line 3: ToolError: "fail" failed: No.')
    const all = 'return await Promise.any([1, 2].map((value) => tools.fail({ value })))'
    expect(await runCode(all, tools, inline)).toMatch(
      /^Error: The program failed in line 1: AggregateError: \[\{.*"\\"fail\\" failed: No\."/,
    )
  })

  it('that is too long is not run', async () => {
    expect(await runCode(`return 1 //${'x'.repeat(100)}`, [], { ...inline, limits: { codeLength: 50 } })).toContain(
      'The limit is 50',
    )
  })
})
