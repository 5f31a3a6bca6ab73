import type { Tool, ToolSource } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { combine, filtered } from '../../test/loose.ts'
import { asyncSourceOf, call, definitionError, echo, namesOf, sourceOf } from '../../test/tools.ts'

describe('combine', () => {
  it('lists sources and plain tools in order', async () => {
    const tools = combine(sourceOf('mail', 'send', 'list'), echo('now'), sourceOf('files', 'read')).tools()
    expect(namesOf(tools)).toEqual(['send', 'list', 'now', 'read'])
    expect(await call(tools, 'now', { text: 'x' })).toMatchObject({ output: 'now:x' })
  })

  it('hands on the very tools of its parts', () => {
    const now = echo('now')
    expect(combine(now).tools()[0]).toBe(now)
  })

  it('of nothing is an empty source', () => {
    expect(combine()).toMatchObject({ name: undefined, instructions: undefined })
    expect(combine().tools()).toEqual([])
  })

  it('lists asynchronously when a part does', async () => {
    const listing = combine(sourceOf('mail', 'send'), asyncSourceOf('server', 'ping')).tools()
    expect(listing).toBeInstanceOf(Promise)
    expect(namesOf(await listing)).toEqual(['send', 'ping'])
  })

  it('joins the names and the instructions of its parts, as they are when they are read', () => {
    const server = { ...sourceOf('server', 'ping'), instructions: undefined as string | undefined }
    const all = combine({ ...sourceOf('mail', 'send'), instructions: 'Be polite.' }, server, { tools: () => [] }, echo('now'))
    expect(all).toMatchObject({ name: 'mail + server', instructions: 'Be polite.' })
    server.instructions = 'Ping first.'
    expect(all.instructions).toBe('Be polite.\n\nPing first.')
  })

  it('says the same instructions once', () => {
    const part = (...names: string[]) => ({ ...sourceOf('mail', ...names), instructions: 'Be polite.' })
    expect(combine(part('a'), part('b')).instructions).toBe('Be polite.')
  })

  it('one failing listing fails the whole, and no other rejection is left unhandled', async () => {
    const broken: ToolSource = { tools: () => Promise.reject(new Error('gone')) }
    const throwing: ToolSource = {
      tools: () => {
        throw new Error('not open')
      },
    }
    await expect(async () => combine(broken, broken).tools()).rejects.toThrow('gone')
    expect(() => combine(broken, throwing).tools()).toThrow('not open')
  })
})

describe('two tools of one name', () => {
  const parts = (...list: readonly (Tool | ToolSource)[]) => definitionError(() => combine(...list).tools())

  it('R6: both owners are named, and the fix', () => {
    expect(parts(sourceOf('mail', 'send'), sourceOf('chat', 'post', 'send'))).toBe(
      'combine: "mail" (part 1) and "chat" (part 2) both have a tool named "send". To fix: prefixed(chat, \'other\') or renamed(chat, { send: \'…\' }).',
    )
  })

  it('R6: names that differ only in case are one', () => {
    expect(parts(sourceOf('mail', 'Send'), sourceOf('chat', 'send'))).toContain(
      'whose names differ only in case, "Send" and "send"',
    )
  })

  it('a source without a name is named by its place', () => {
    const { tools } = sourceOf('', 'send')
    expect(parts(sourceOf('my mail', 'send'), { tools })).toMatch(/"my mail" \(part 1\) and part 2 both have .*prefixed\(source,/)
  })

  it('a plain tool is named, and the source beside it is what the fix is for', () => {
    expect(parts(sourceOf('mail', 'send'), echo('send'))).toMatch(/and the tool "send" \(part 2\) both have .*renamed\(mail, /)
    expect(parts(echo('send'), echo('send'))).toContain("To fix: deriveTool(send, { name: '…' }).")
  })

  it('a source that has two is named once', () => {
    expect(parts(sourceOf('mail', 'send', 'SEND'))).toContain(
      'combine: "mail" (part 1) has tools whose names differ only in case',
    )
  })

  it('of an asynchronous part are told by a rejection', async () => {
    await expect(combine(asyncSourceOf('a', 'x'), asyncSourceOf('b', 'x')).tools()).rejects.toMatchObject({
      code: 'invalid_definition',
    })
  })

  it('R6: the same tool twice is listed once', () => {
    const now: Tool = echo('now')
    expect(combine(now, now, sourceOf('clock', now)).tools()).toEqual([now])
  })
})

it.each<unknown>([undefined, null, 'ping', [{ name: 'ping' }], new Map()])('a source that lists %j is refused', async (list) => {
  const message = 'tools() of "odd" must return a list of tools.'
  const odd = (tools: () => unknown) => ({ name: 'odd', tools }) as ToolSource
  expect(definitionError(() => combine(odd(() => list)).tools())).toBe(`combine: ${message}`)
  expect(
    definitionError(() =>
      filtered(
        odd(() => list),
        [],
      ).tools(),
    ),
  ).toBe(`filtered: ${message}`)
  await expect(combine(odd(async () => list)).tools()).rejects.toThrow(message)
})

it.each<unknown>([undefined, null, 'mail', [], {}])('%j is no part', (part) => {
  expect(definitionError(() => combine(echo('now'), part as never))).toMatch(
    /^combine: part 2 is neither a tool nor a tool source/,
  )
})
