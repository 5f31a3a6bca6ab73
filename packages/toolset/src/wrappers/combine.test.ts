import type { Tool, ToolSource } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { combine, filtered } from '../../test/loose.ts'
import { asyncSourceOf, call, definitionError, echo, namesOf, sourceOf } from '../../test/tools.ts'
import { defineToolset } from '../toolset/define-toolset.ts'

describe('combine', () => {
  it('lists sources and plain tools in order', async () => {
    const tools = combine(sourceOf('mail', 'send', 'list'), echo('now'), sourceOf('files', 'read')).tools()
    expect(namesOf(tools)).toEqual(['send', 'list', 'now', 'read'])
    expect(await call(tools, 'now', { text: 'x' })).toMatchObject({ output: 'now:x' })
  })

  it('returns the same tool objects as its parts', () => {
    const now = echo('now')
    expect(combine(now).tools()[0]).toBe(now)
  })

  it('is an empty source if there are no parts', () => {
    expect(combine()).toMatchObject({ name: undefined, instructions: undefined })
    expect(combine().tools()).toEqual([])
  })

  it('lists asynchronously if a part does', async () => {
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

  it('includes identical instructions once', () => {
    const part = (...names: string[]) => ({ ...sourceOf('mail', ...names), instructions: 'Be polite.' })
    expect(combine(part('a'), part('b')).instructions).toBe('Be polite.')
  })

  it('fails if a listing fails, and leaves no other rejection unhandled', async () => {
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

describe('two tools with the same name', () => {
  const parts = (...list: readonly (Tool | ToolSource)[]) => definitionError(() => combine(...list).tools())

  it('R6: cause an error that names both owners and the fix', () => {
    expect(parts(sourceOf('mail', 'send'), sourceOf('chat', 'post', 'send'))).toBe(
      'combine: "mail" (part 1) and "chat" (part 2) both have a tool named "send". To fix: prefixed(chat, \'other\') or renamed(chat, { send: \'…\' }).',
    )
  })

  it('R6: count as the same if they differ only in case', () => {
    expect(parts(sourceOf('mail', 'Send'), sourceOf('chat', 'send'))).toContain(
      'whose names differ only in case, "Send" and "send"',
    )
  })

  it('are reported by position for a source without a name', () => {
    const { tools } = sourceOf('', 'send')
    expect(parts(sourceOf('my mail', 'send'), { tools })).toMatch(/"my mail" \(part 1\) and part 2 both have .*prefixed\(source,/)
  })

  it('are reported by name for a plain tool, with a fix for the other source', () => {
    expect(parts(sourceOf('mail', 'send'), echo('send'))).toMatch(/and the tool "send" \(part 2\) both have .*renamed\(mail, /)
    expect(parts(echo('send'), echo('send'))).toContain("To fix: deriveTool(send, { name: '…' }).")
  })

  it('are reported once for a source that has both', () => {
    expect(parts(sourceOf('mail', 'send', 'SEND'))).toContain(
      'combine: "mail" (part 1) has tools whose names differ only in case',
    )
  })

  it('cause a rejection with an asynchronous part', async () => {
    await expect(combine(asyncSourceOf('a', 'x'), asyncSourceOf('b', 'x')).tools()).rejects.toMatchObject({
      code: 'invalid_definition',
    })
  })

  it('are reported with what to write for a bare name', () => {
    expect(definitionError(() => combine('web_search' as never))).toBe(
      `combine: part 1 must be a tool or a tool source, got a string. Pass the tool itself. To get it from a registry, write (await registry.resolve('web_search')).get('web_search').`,
    )
    expect(definitionError(() => defineToolset({ name: 'x', description: 'X.', tools: ['web_search'] } as never))).toContain(
      `entry 1 of tools is not a tool. Pass the tool itself.`,
    )
  })

  it('R6: are listed once if they are the same tool', () => {
    const now: Tool = echo('now')
    expect(combine(now, now, sourceOf('clock', now)).tools()).toEqual([now])
  })
})

it.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  ['ping', 'a string'],
  [[{ name: 'ping' }], 'a list with an entry that is not a tool'],
  [new Map(), 'a value of type object'],
])('refuses a source that lists %j', async (list, got) => {
  const message = `tools() of "odd" must return a list of tools, got ${got}. Create them with defineTool.`
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

it.each<unknown>([undefined, null, 'mail', [], {}])('refuses %j as a part', (part) => {
  expect(definitionError(() => combine(echo('now'), part as never))).toMatch(
    /^combine: part 2 must be a tool or a tool source, got /,
  )
})
