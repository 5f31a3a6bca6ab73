/** Tests how programs are read. */
import { describe, expect, it } from 'vitest'
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
    ['enum A { B }\nreturn A.B', /line 1, column 1: Only the types of TypeScript are supported/],
    ['const a: number = \nreturn a', /not valid JavaScript, line 2/],
    ['', /must NOT have fewer than 1 characters/],
  ])('%j is refused with its place', async (code, message) => {
    expect(await runCode(code, [], inline)).toMatch(message)
  })

  it('that throws reports the line', async () => {
    expect(await runCode('const a = null\n\nreturn a.b', [], inline)).toContain('The program failed in line 3: TypeError')
  })

  it('that throws after a call reports that the call is not undone', async () => {
    const add = numberTool('add')
    const note = "Calls that it had already made are not undone. Don't repeat those that change something."
    for (const end of ["throw new Error('No.')", 'await new Promise(() => {})']) {
      expect(await runCode(`await tools.add({ value: 1 })\n${end}`, [add], inline)).toContain(note)
      expect(await runCode(end, [add], inline)).not.toContain('not undone')
    }
  })

  it('that is too long is not run', async () => {
    expect(await runCode(`return 1 //${'x'.repeat(100)}`, [], { ...inline, limits: { codeLength: 50 } })).toContain(
      'The limit is 50',
    )
  })
})
