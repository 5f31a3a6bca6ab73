import { ToolError } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { type Loose, renamed } from '../../test/loose.ts'
import { asyncSourceOf, call, definitionError, namesOf, sourceOf } from '../../test/tools.ts'

describe('renamed', () => {
  it('renames the named tools in place, and leaves the others unchanged', async () => {
    const mail = sourceOf('mail', 'send', 'list', 'read')
    const tools = renamed(mail, { list: 'list_mail' }).tools()
    expect(namesOf(tools)).toEqual(['send', 'list_mail', 'read'])
    expect(tools[0]).toBe(mail.tools()[0])
    expect(await call(tools, 'list_mail', { text: 'all' })).toMatchObject({ output: 'list:all' })
  })

  it('can swap two names', async () => {
    const tools = renamed(sourceOf('mail', 'send', 'list'), { send: 'list', list: 'send' }).tools()
    expect(await call(tools, 'send')).toMatchObject({ output: 'list:' })
  })

  it('can change the case of a name', () => {
    expect(namesOf(renamed(sourceOf('mail', 'Send'), { Send: 'send' }).tools())).toEqual(['send'])
  })

  it('returns the same tools at every call', () => {
    const source = renamed(sourceOf('mail', 'send'), { send: 'send_mail' })
    expect(source.tools()[0]).toBe(source.tools()[0])
  })

  it('refuses an unknown name, and suggests the nearest one', () => {
    expect(definitionError(() => renamed(sourceOf('mail', 'send', 'list'), { sned: 'x' }).tools())).toBe(
      'renamed: the source has no tool "sned". Did you mean "send"?',
    )
  })

  it('rejects for an asynchronous source', async () => {
    const listing: unknown = renamed(asyncSourceOf('mail', 'send'), { sned: 'x' }).tools()
    const error = await (listing as Promise<unknown>).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ToolError)
  })

  it.each<Loose>([
    [{ send: 'list' }, 'list'],
    [{ send: 'List' }, 'list'],
    [{ send: 'x', list: 'X' }, 'X'],
  ])('refuses two tools with the same name, ignoring case: %j', (names, taken) => {
    expect(definitionError(() => renamed(sourceOf('mail', 'send', 'list'), names as Record<string, string>).tools())).toBe(
      `renamed: "send" and "list" would both be named "${taken}" (case is ignored). Choose another name for one of them.`,
    )
  })

  it('refuses an illegal new name at once', () => {
    expect(definitionError(() => renamed(sourceOf('mail', 'send'), { send: 'send mail' }))).toContain(
      'invalid tool name "send mail"',
    )
  })

  it.each([undefined, null, 'send_mail'])('refuses %o, which is not an object of names', (names) => {
    expect(() => renamed(sourceOf('mail', 'send'), names as never)).toThrow("Write renamed(source, { old_name: 'new_name' })")
  })

  it('treats hostile names as ordinary names', () => {
    const source = sourceOf('odd', '__proto__', 'constructor')
    expect(namesOf(renamed(source, { constructor: 'made' }).tools())).toEqual(['__proto__', 'made'])
    expect(definitionError(() => renamed(sourceOf('odd', 'a'), { toString: 'made' }).tools())).toContain(
      'the source has no tool "toString"',
    )
  })
})
