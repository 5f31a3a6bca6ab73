import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreignNames } from './foreign-names.ts'
import { isToolName } from './name.ts'

describe('foreignNames', () => {
  it.each([
    [['get_weather'], ['get_weather']],
    [
      ['math.factorial', 'get-sum', 'a/b:c d'],
      ['math_factorial', 'get_sum', 'a_b_c_d'],
    ],
    [
      ['3d.print', '', 'größe'],
      ['_3d_print', '_', 'gr__e'],
    ],
    [['😀'], ['_']],
  ])('replaces the characters that a tool name cannot contain: %j', (names, expected) => {
    const related = foreignNames(names)
    expect(names.map(related.toToolName)).toEqual(expected)
    expect(expected.map(related.toForeignName)).toEqual(names)
  })

  it('keeps a tool name, and adds a hash to other names that would become the same', () => {
    const names = ['a.b', 'a_b', 'a-b']
    const related = foreignNames(names)
    const tools = names.map(related.toToolName)
    expect(tools[1]).toBe('a_b')
    expect(tools[0]).toMatch(/^a_b_[0-9a-z]+$/)
    expect(tools[2]).toMatch(/^a_b_[0-9a-z]+$/)
    expect(new Set(tools).size).toBe(3)
    expect(tools.map(related.toForeignName)).toEqual(names)
  })

  it('adds a hash to a name that differs from another one only in case, whatever their order', () => {
    const list = ['read_file', 'READ_FILE', 'Read-File', 'read']
    for (const names of [list, list.toReversed()]) {
      const { toToolName, toForeignName } = foreignNames(names)
      const tools = list.map(toToolName)
      expect(new Set(tools.map((tool) => tool.toLowerCase())).size).toBe(4)
      expect(tools.map(toForeignName)).toEqual(list)
      expect([toToolName('READ_FILE'), toToolName('read')]).toEqual(['READ_FILE', 'read'])
    }
  })

  it('shortens a name to 64 characters, with a hash of the whole name', () => {
    const names = ['x.y', 'x.z'].map((end) => `${'long.'.repeat(20)}${end}`)
    const tools = names.map(foreignNames(names).toToolName)
    for (const tool of tools) expect(tool).toHaveLength(64)
    expect(new Set(tools).size).toBe(2)
  })

  it('throws for a name that is not in the list, and returns undefined for an unknown tool name', () => {
    const related = foreignNames(['a.b'])
    expect(() => related.toToolName('a.c')).toThrow('The list passed to foreignNames() doesn\'t contain the name "a.c".')
    expect(related.toForeignName('a_c')).toBeUndefined()
  })

  it('maps any names one to one, whatever their order', () => {
    const name = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '-', '1'), maxLength: 4 }),
      fc.string({ maxLength: 80, minLength: 60 }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
        const related = foreignNames(names)
        const reversed = foreignNames([...names].reverse())
        for (const one of names) {
          const tool = related.toToolName(one)
          expect(isToolName(tool)).toBe(true)
          expect(related.toForeignName(tool)).toBe(one)
          expect(reversed.toToolName(one)).toBe(tool)
          if (isToolName(one)) expect(tool).toBe(one)
        }
      }),
    )
  })
})
