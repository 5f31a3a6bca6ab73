import { describe, expect, it } from 'vitest'
import { approvalRequired, prefixed, wrapped } from '../../test/loose.ts'
import { call, definitionError, sourceOf } from '../../test/tools.ts'

const files = sourceOf('files', 'read', 'write', 'delete')

describe('approvalRequired', () => {
  it('marks all tools', () => {
    expect(
      approvalRequired(files)
        .tools()
        .map(({ needsApproval }) => needsApproval),
    ).toEqual([true, true, true])
  })

  it('marks the named tools and leaves the others unchanged', () => {
    const tools = approvalRequired(files, ['delete']).tools()
    expect(tools.map(({ needsApproval }) => needsApproval)).toEqual([undefined, undefined, true])
    expect(tools[0]).toBe(files.tools()[0])
  })

  it('marks the tools for which a function returns true', () => {
    const tools = approvalRequired(files, ({ name }) => name !== 'read').tools()
    expect(tools.map(({ needsApproval }) => needsApproval)).toEqual([undefined, true, true])
  })

  it('keeps the requirement of a tool that already required approval', () => {
    const all = approvalRequired(files)
    expect(approvalRequired(all, ['read']).tools()).toEqual(all.tools())
  })

  it('refuses a call without approval, and runs a call with approval', async () => {
    let runs = 0
    const counted = wrapped(files, (_call, next) => {
      runs++
      return next()
    })
    const tools = prefixed(approvalRequired(counted), 'my').tools()
    expect(await call(tools, 'my_delete')).toMatchObject({ ok: false, error: { code: 'approval_required' } })
    expect(await call(tools, 'my_delete', {}, { approve: () => false })).toMatchObject({ error: { code: 'approval_required' } })
    expect(runs).toBe(0)
    expect(await call(tools, 'my_delete', {}, { approve: ({ name }) => name === 'my_delete' })).toMatchObject({
      output: 'delete:',
    })
    expect(runs).toBe(1)
  })

  it('refuses an unknown name, so that a typo leaves no tool without approval', () => {
    expect(definitionError(() => approvalRequired(files, ['delte' as string]).tools())).toContain('Did you mean "delete"?')
  })
})
