import { describe, expect, it } from 'vitest'
import { filtered } from '../../test/loose.ts'
import { asyncSourceOf, definitionError, namesOf, sourceOf } from '../../test/tools.ts'

const files = sourceOf('files', 'read', 'write', 'delete')

describe('filtered', () => {
  it('R24: keeps the named tools unchanged, in the order of the source', () => {
    const tools = filtered(files, ['delete', 'read']).tools()
    expect(namesOf(tools)).toEqual(['read', 'delete'])
    expect(tools[0]).toBe(files.tools()[0])
  })

  it('keeps the tools for which a function returns true, which is called at each listing', () => {
    let isAdmin = false
    const allowed = filtered(files, ({ name }) => isAdmin || name === 'read')
    expect(namesOf(allowed.tools())).toEqual(['read'])
    isAdmin = true
    expect(namesOf(allowed.tools())).toEqual(['read', 'write', 'delete'])
  })

  it('keeps nothing for an empty list of names', () => {
    expect(filtered(files, []).tools()).toEqual([])
  })

  it('refuses an unknown name, and suggests the nearest one', () => {
    expect(definitionError(() => filtered(files, ['raed' as string]).tools())).toBe(
      'filtered: the source has no tool "raed". Did you mean "read"?',
    )
    expect(definitionError(() => filtered(files, ['xyzzy' as string]).tools())).toContain('Its tools: read, write, delete.')
  })

  it('refuses a function that returns a promise, which would count as true', () => {
    const allowed = filtered(files, (async () => false) as never)
    expect(definitionError(() => allowed.tools())).toBe(
      'filtered: the function must return true or false. For "read" it returned a promise; await it first.',
    )
  })

  it('refuses at once a selection that is neither a list nor a function', () => {
    expect(definitionError(() => filtered(files, 'read' as never))).toContain('pass a list of tool names, or a function')
  })

  it('lists asynchronously if the source does', async () => {
    expect(namesOf(await filtered(asyncSourceOf('server', 'ping', 'pong'), ['pong']).tools())).toEqual(['pong'])
  })
})
