import { describe, expect, it } from 'vitest'
import { combine, prefixed } from '../../test/loose.ts'
import { asyncSourceOf, call, definitionError, namesOf, sourceOf } from '../../test/tools.ts'

describe('prefixed', () => {
  it('T2-24: puts the prefix before every name, and a call reaches the tool behind it', async () => {
    const tools = prefixed(sourceOf('mail', 'send', 'list'), 'work').tools()
    expect(namesOf(tools)).toEqual(['work_send', 'work_list'])
    expect(await call(tools, 'work_send', { text: 'hi' })).toMatchObject({ ok: true, output: 'send:hi' })
  })

  it('T2-24: finds a name that clashes only with the prefix', () => {
    const all = combine(prefixed(sourceOf('mail', 'send'), 'work'), sourceOf('post', 'work_send'))
    expect(definitionError(() => all.tools())).toContain('"mail" (part 1) and "post" (part 2) both have a tool named "work_send"')
  })

  it('returns the same tools at every call, and leaves those of the source unchanged', () => {
    const mail = sourceOf('mail', 'send')
    const work = prefixed(mail, 'work')
    expect(work.tools()[0]).toBe(work.tools()[0])
    expect(namesOf(mail.tools())).toEqual(['send'])
  })

  it('lists asynchronously if the source does', async () => {
    const listing = prefixed(asyncSourceOf('server', 'ping'), 'remote').tools()
    expect(listing).toBeInstanceOf(Promise)
    expect(namesOf(await listing)).toEqual(['remote_ping'])
  })

  it('passes on a name and instructions that exist only when the source is open', () => {
    const server = { ...sourceOf('server', 'ping'), instructions: undefined as string | undefined }
    const remote = prefixed(server, 'remote')
    server.instructions = 'Ping first.'
    expect(remote).toMatchObject({ name: 'server', instructions: 'Ping first.' })
  })

  it.each(['', '1a', 'a b', 'naïve', 'a-b', undefined])('refuses the prefix %j at once', (prefix) => {
    expect(definitionError(() => prefixed(sourceOf('mail', 'send'), prefix as string))).toMatch(
      /^prefixed\(….*the prefix must consist of letters, digits and "_"/,
    )
  })

  it('refuses and names a tool whose new name is longer than 64 characters', () => {
    const long = `send_${'x'.repeat(56)}`
    expect(namesOf(prefixed(sourceOf('mail', long), 'ab').tools())).toEqual([`ab_${long}`])
    expect(definitionError(() => prefixed(sourceOf('mail', long), 'abc').tools())).toMatch(
      new RegExp(`^prefixed\\(…, "abc"\\): "${long}" would be named "abc_${long}", which is longer than 64`),
    )
  })

  it('refuses a value that is not a source, and suggests what to pass', () => {
    expect(definitionError(() => prefixed([] as never, 'work'))).toContain('For plain tools, use combine(…) first.')
  })
})
