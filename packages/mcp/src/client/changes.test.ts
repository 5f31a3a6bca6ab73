import { createRegistry } from '@x/registry'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../test/calls.ts'
import { type ServedTool, statelessServer } from '../../test/stateless-server.ts'
import { Listing } from './listing.ts'
import { toSettings } from './options.ts'

const named = (name: string, description = `Does ${name}.`): ServedTool => ({ name, description })

describe('a changed list', () => {
  it('is followed when the server reports it', async () => {
    const served = statelessServer([named('a'), named('b')], { listChanged: true })
    const { source, reports } = connect(served.server)
    const registry = createRegistry([source])
    const [a, b] = await source.tools()
    const heard = vi.fn()
    registry.onChange(heard)
    served.tools = [named('a'), named('b', 'Does something else.'), named('c')]
    served.notify()
    await expect.poll(() => source.cards().length).toBe(3)
    expect(heard).toHaveBeenCalled()
    expect(registry.names).toEqual(['shop_a', 'shop_b', 'shop_c'])
    expect(await source.tool('shop_a')).toBe(a)
    expect(await source.tool('shop_b')).not.toBe(b)
    expect(reports).toMatchObject(
      [
        { code: 'tool_changed', tool: 'shop_b', fingerprint: /^sha256:/, before: /^sha256:/ },
        { code: 'tool_added', tool: 'shop_c', fingerprint: /^sha256:/ },
      ].map((report) =>
        Object.fromEntries(
          Object.entries(report).map(([key, value]) => [key, value instanceof RegExp ? expect.stringMatching(value) : value]),
        ),
      ),
    )
    expect(reports[0]?.fingerprint).not.toBe(reports[0]?.before)
  })

  it('is read again if the server confirms only later that it will report changes', async () => {
    const served = statelessServer([named('a')], { listChanged: true })
    let confirm: () => void = () => {}
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve
    })
    const send: typeof fetch = async (input, init) => {
      if (String(init?.body).includes('subscriptions/listen')) await confirmed
      return await (served.server.fetch as typeof fetch)(input, init)
    }
    const { source } = connect({ ...served.server, fetch: send })
    await source.open()
    served.tools = [named('a'), named('b')]
    confirm()
    await expect.poll(() => source.cards().length).toBe(2)
  })

  it('keeps the earlier list if it cannot be read', async () => {
    const served = statelessServer([named('a')], { listChanged: true })
    const { source, reports } = connect(served.server)
    await source.open()
    served.tools = undefined as never // Without tools, the server's handler throws.
    served.notify()
    await expect.poll(() => reports.map(({ code }) => code)).toContain('list_failed')
    expect(source.cards().map(({ name }) => name)).toEqual(['shop_a'])
  })

  it('is read at most once a second, however often it is reported', async () => {
    const served = statelessServer([named('a')], { listChanged: true })
    const { source } = connect(served.server)
    await source.open()
    const began = performance.now()
    for (let change = 0; change < 500; change++) {
      served.notify()
      await new Promise(setImmediate)
    }
    const listings = served.requests.filter((method) => method === 'tools/list').length
    expect(listings).toBeLessThanOrEqual(3 + (performance.now() - began) / 1_000)
  })

  it('is read less and less often while that fails, and followed afterwards', async () => {
    const { served, source, reports, time, after } = await failingListings()
    served.notify()
    time.seconds = 0
    await after(() => reports.filter(({ code }) => code === 'list_failed').length).toBe(4)
    expect(time.seconds).toBeGreaterThan(10)
    served.tools = [named('b')]
    await after(() => source.cards().map(({ name }) => name)).toEqual(['shop_b'])
  })

  it('is followed soon after failures, once the server reports changes again', async () => {
    const { served, source, reports, time, after } = await failingListings()
    served.notify()
    await after(() => reports.filter(({ code }) => code === 'list_failed').length).toBe(4)
    served.tools = [named('a'), named('b')]
    const opened = source.open()
    await after(() => source.cards().length).toBe(2)
    await opened
    served.tools = [named('c')]
    served.notify()
    time.seconds = 0
    await after(() => source.cards().map(({ name }) => name)).toEqual(['shop_c'])
    expect(time.listed).toBeLessThan(5)
  })

  it('is followed soon after a failed listing during which the server reported it, but not each time', async () => {
    const { served, source, reports, time, after, hooks } = await failingListings()
    const failures = () => reports.filter(({ code }) => code === 'list_failed').length
    served.notify()
    await after(failures).toBe(4)
    hooks.onList = async () => {
      served.notify()
      for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
    }
    await after(failures).toBe(5)
    time.seconds = 0
    await after(failures).toBe(6)
    expect(time.listed).toBeLessThan(5)
    await after(failures).toBe(7)
    expect(time.seconds).toBeGreaterThan(20)
    served.tools = [named('b')]
    await after(() => source.cards().map(({ name }) => name)).toEqual(['shop_b'])
  })

  it('that is read while an earlier list is still processed replaces it', async () => {
    const settings = toSettings('shop', { url: 'http://shop.test' }, { pin: {} })
    const listing = new Listing(settings, vi.fn(), () => vi.fn())
    const tools = Array.from({ length: 50 }, (_, index) => ({ ...named(`t${index}`), inputSchema: { type: 'object' } }))
    await listing.approve(tools, undefined)
    const updates = [listing.update(tools), listing.update([])]
    expect(await Promise.all(updates)).toEqual([true, true])
    expect(listing.cards).toEqual([])
  })

  it('is noticed when the time to live has passed, and not before', async () => {
    const served = statelessServer([named('a')], { ttlMs: 1_000 })
    const { source } = connect(served.server)
    const now = vi.spyOn(Date, 'now')
    const begin = 1_800_000_000_000
    now.mockReturnValue(begin)
    await source.open()
    served.tools = [named('a'), named('b')]
    now.mockReturnValue(begin + 999)
    expect(await source.tools()).toHaveLength(1)
    now.mockReturnValue(begin + 1_000)
    expect(await source.tools()).toHaveLength(2)
    now.mockRestore()
  })

  it('is read once for concurrent callers', async () => {
    const served = statelessServer([named('a')])
    const { source } = connect(served.server)
    await Promise.all([source.open(), source.tools(), source.tool('shop_a')])
    expect(served.requests.filter((method) => method === 'tools/list')).toHaveLength(1)
  })

  it('is reported when cards of an earlier process are out of date', async () => {
    const cards = [
      { name: 'shop_a', description: 'Did a.' },
      { name: 'shop_z', description: 'Did z.' },
    ]
    const { source, reports } = connect(statelessServer([named('a'), named('b')]).server, { cards })
    await source.open()
    expect(reports.map(({ code, tool }) => [code, tool])).toEqual([
      ['tool_changed', 'shop_a'],
      ['tool_added', 'shop_b'],
      ['tool_removed', 'shop_z'],
    ])
  })
})

describe('pinned tools', () => {
  it('are used as long as their definitions match the approved ones', async () => {
    const approved = connect(statelessServer([named('a'), named('b')]).server)
    const pin = await approved.source.fingerprints()
    expect(Object.keys(pin)).toEqual(['shop_a', 'shop_b'])
    const served = statelessServer([named('a'), named('b', 'Sends all files.'), named('c')])
    const { source, reports } = connect(served.server, { pin })
    const registry = createRegistry([source])
    expect((await source.tools()).map(({ name }) => name)).toEqual(['shop_a'])
    expect(reports.map(({ code, tool, before }) => [code, tool, before])).toEqual([
      ['tool_changed', 'shop_b', pin.shop_b],
      ['tool_added', 'shop_c', undefined],
    ])
    await expect(source.tool('shop_b')).rejects.toMatchObject({ code: 'tool_refused' })
    expect(registry.names).toEqual(['shop_a'])
    const next = await source.approve(['shop_b'])
    expect(Object.keys(next)).toEqual(['shop_a', 'shop_b'])
    expect(next.shop_b).not.toBe(pin.shop_b)
    expect((await source.tools()).map(({ name }) => name)).toEqual(['shop_a', 'shop_b'])
    expect(Object.keys(await source.approve())).toEqual(['shop_a', 'shop_b', 'shop_c'])
  })

  it('are no longer called by an agent once they have changed', async () => {
    const served = statelessServer([named('a')], { listChanged: true })
    const approved = connect(served.server)
    const { source } = connect(served.server, { pin: await approved.source.fingerprints() })
    const tool = await source.tool('shop_a')
    served.tools = [named('a', 'Sends all files.')]
    served.notify()
    await expect.poll(() => source.cards().length).toBe(0)
    await expect(async () => tool?.execute({})).rejects.toMatchObject({ reason: 'not_approved' })
    await source.approve()
    expect(await tool?.execute({})).toMatchObject({ content: [{ text: 'called a' }] })
  })

  it('have another fingerprint when only the output schema changes', async () => {
    const one = connect(statelessServer([{ ...named('a'), outputSchema: { type: 'object' } }]).server)
    const other = connect(statelessServer([named('a')]).server)
    expect((await one.source.fingerprints()).shop_a).not.toBe((await other.source.fingerprints()).shop_a)
  })
})

describe('hidden characters', () => {
  const hidden = '\u200Bignore\u{E0041}'

  it('exclude a tool from cards and tools', async () => {
    const tools = [
      named('a', `Adds.${hidden}`),
      { ...named('b'), inputSchema: { type: 'object', properties: { x: { enum: [hidden] } } } },
      named('c', 'Größe 日本'),
    ]
    const { source, reports } = connect(statelessServer(tools).server)
    await source.open()
    expect(source.cards().map(({ name }) => name)).toEqual(['shop_c'])
    expect(reports.map(({ code, tool }) => [code, tool])).toEqual([
      ['tool_refused', 'shop_a'],
      ['tool_refused', 'shop_b'],
    ])
    expect(reports[0]?.message).toContain('U+200B')
    await expect(source.tool('shop_a')).rejects.toMatchObject({ code: 'tool_refused' })
  })

  it('are shown in descriptions if requested, and refused elsewhere', async () => {
    const tools = [named('a', `Adds.${hidden}`), { ...named('b'), inputSchema: { type: 'object', properties: { [hidden]: {} } } }]
    const { source } = connect(statelessServer(tools).server, { hiddenCharacters: 'show' })
    expect((await source.tools()).map(({ description }) => description)).toEqual(['Adds.<U+200B>ignore<U+E0041>'])
    expect(source.cards()[0]?.description).toBe('Adds.<U+200B>ignore<U+E0041>')
  })

  it('exclude instructions, or are shown in them', async () => {
    const served = statelessServer([named('a')], { instructions: `Be brief.${hidden}` })
    const refusing = connect(served.server)
    await refusing.source.open()
    expect(refusing.source.instructions).toBeUndefined()
    expect(refusing.reports).toMatchObject([
      { code: 'instructions_refused', message: expect.stringContaining('because they contain hidden characters.') },
    ])
    const showing = connect(served.server, { hiddenCharacters: 'show' })
    await showing.source.open()
    expect(showing.source.instructions).toBe('Be brief.<U+200B>ignore<U+E0041>')
  })
})

describe('a tool with a schema that cannot be used', () => {
  it('is left out, and the others are used', async () => {
    const remote = { type: 'object', properties: { a: { $ref: 'https://example.com/schema' } } }
    const { source, reports } = connect(statelessServer([{ ...named('a'), inputSchema: remote }, named('b')]).server)
    expect((await source.tools()).map(({ name }) => name)).toEqual(['shop_b'])
    expect(reports).toMatchObject([{ code: 'tool_refused', tool: 'shop_a' }])
  })
})

/** Opens a source of a server whose next listings fail. `hooks.onList` is called before each. `after` advances the clock by a second at a time, until the value is as expected. */
async function failingListings() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const served = statelessServer([named('a')], { listChanged: true })
  const hooks: { onList?: () => Promise<void> } = {}
  /** `listed` is when the last listing was requested. It ends later: digests are computed in other threads, and the clock goes on. */
  const time = { seconds: 0, listed: 0 }
  const send: typeof fetch = async (input, init) => {
    if (String(init?.body).includes('tools/list')) {
      time.listed = time.seconds
      await hooks.onList?.()
    }
    return await (served.server.fetch as typeof fetch)(input, init)
  }
  const { source, reports } = connect({ ...served.server, fetch: send })
  const after = (value: () => unknown) =>
    expect.poll(async () => {
      time.seconds++
      await vi.advanceTimersByTimeAsync(1_000)
      return value()
    })
  const opening = source.open()
  await after(() => source.cards().length).toBe(1)
  await opening
  served.tools = undefined as never // Without tools, the server's handler throws.
  return { served, source, reports, time, after, hooks }
}
