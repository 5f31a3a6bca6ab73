import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { defineToolFactory } from '../load/factory.ts'
import { lazy } from '../load/lazy.ts'
import { tool } from '../names/reference.ts'

const weather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({
    city: Type.String({ description: 'City name' }),
    unit: Type.Optional(Type.Enum(['celsius', 'fahrenheit'])),
  }),
  tags: ['forecast'],
  execute: () => 1,
})

function lazyTrain() {
  const load = vi.fn(async () =>
    defineTool({
      name: 'book_train',
      description: 'Book a seat on a train.',
      args: Type.Object({ departure: Type.String({ description: 'Station to leave from' }) }),
      execute: () => 1,
    }),
  )
  return { load, entry: lazy('book_train', load, { description: 'Buy railway tickets', tags: ['travel'] }) }
}

async function namesFor(registry: ReturnType<typeof createRegistry>, query: string, options = {}) {
  return (await registry.search(query, options)).map(({ name }) => name)
}

describe('search', () => {
  it('reads many tools in slices, between which other work runs', async () => {
    await createRegistry([weather]).search('weather') // The first search in a process imports the code.
    const create = () => createRegistry(Array.from({ length: 1_100 }, (_, number) => toolNamed(`tool_${number}`)))
    const registry = create()
    let tasks = 0
    let isDone = false
    const count = () => {
      tasks++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const [hit] = await registry.search('tool 1099')
    isDone = true
    expect(hit?.name).toBe('tool_1099')
    expect(tasks).toBeGreaterThanOrEqual(4)
    tasks = 0
    await registry.search('tool 3')
    expect(tasks).toBe(0)
    const other = create()
    const found = await Promise.all(['tool 1', 'tool 1098'].map((query) => namesFor(other, query, { limit: 1 })))
    expect(found).toEqual([['tool_1'], ['tool_1098']])
  })

  it('follows changes that are made while it reads many tools', async () => {
    await createRegistry([weather]).search('weather')
    const registry = createRegistry(Array.from({ length: 2_100 }, (_, number) => toolNamed(`tool_${number}`)))
    const searches = ['late', 'tool 7'].map((query) => namesFor(registry, query, { limit: 1 }))
    await new Promise((resolve) => setImmediate(resolve))
    registry.register(toolNamed('late'))
    registry.unregister('tool_7')
    expect(await Promise.all(searches)).toEqual([['late'], ['tool_0']])
  })

  it("isn't affected by changes to the list of a resolver while it reads many tools", async () => {
    await createRegistry([weather]).search('weather')
    const list = Array.from({ length: 2_100 }, (_, number) => `tool_${number}`)
    const registry = createRegistry([], { resolvers: [{ name: 'plugins', find: () => undefined, names: () => list }] })
    const searching = namesFor(registry, 'tool 1000', { limit: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    list.splice(0, 1)
    expect(await searching).toEqual(['tool_1000'])
  })

  it('weighs many terms in parts after a tool has been loaded', async () => {
    const entries = Array.from({ length: 5_000 }, (_, number) => {
      const name = `tool_${number}`
      return lazy(name, async () => toolNamed(name), { description: `Sends mail ${number}.` })
    })
    const registry = createRegistry(entries)
    await registry.search('mail')
    await registry.resolve('tool_7')
    let tasks = 0
    const count = () => {
      tasks++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await registry.search('mail')
    clearImmediate(next)
    expect(tasks).toBeGreaterThanOrEqual(3)
  })

  it('reads again after a resolver has failed', async () => {
    let failures = 1
    const names = () => {
      if (failures-- > 0) throw new Error('no disk')
      return ['send_mail']
    }
    const registry = createRegistry([weather], { resolvers: [{ name: 'plugins', find: () => undefined, names }] })
    const searches = [registry.search('mail'), registry.search('mail')]
    await expect(searches[0]).rejects.toThrow('no disk')
    expect(await searches[1]).toMatchObject([{ name: 'send_mail' }])
  })

  it('finds a tool by its name, description, arguments, values and tags', async () => {
    const registry = createRegistry([weather, toolNamed('unrelated')])
    for (const query of ['weather', 'how is it in the city', 'fahrenheit', 'forecasts']) {
      expect(await namesFor(registry, query)).toEqual(['get_weather'])
    }
    expect(await namesFor(registry, 'philosophy')).toEqual([])
  })

  it('finds a lazy tool by its card without importing it', async () => {
    const { load, entry } = lazyTrain()
    const registry = createRegistry([entry, weather])
    expect(await namesFor(registry, 'railway tickets')).toEqual(['book_train'])
    expect(load).not.toHaveBeenCalled()
  })

  it('finds a factory by its card, even under the name of a reference', async () => {
    const card = { description: 'Look something up on the web' }
    const factory = defineToolFactory({ name: 'search', options: Type.Object({}), create: () => toolNamed('search'), card })
    expect(await namesFor(createRegistry([factory]), 'web')).toEqual(['search'])
    const registry = createRegistry([tool(factory, {}, { as: 'quick' }), tool(lazyTrain().entry, undefined, { as: 'rail' })])
    expect(await namesFor(registry, 'web')).toEqual(['quick'])
    expect(await namesFor(registry, 'railway')).toEqual(['rail'])
    expect(await namesFor(createRegistry([createRegistry([factory]).tool('search')]), 'web')).toEqual(['search'])
  })

  it('finds a lazy tool by more texts after it is resolved', async () => {
    const registry = createRegistry([lazyTrain().entry])
    expect(await namesFor(registry, 'station')).toEqual([])
    await registry.preload()
    expect(await namesFor(registry, 'station')).toEqual(['book_train'])
  })

  it('follows entries that are added, removed and replaced', async () => {
    const registry = createRegistry([weather])
    expect(await namesFor(registry, 'train')).toEqual([])
    registry.register(lazyTrain().entry)
    expect(await namesFor(registry, 'train')).toEqual(['book_train'])
    registry.replace(lazy('book_train', async () => toolNamed('book_train'), { description: 'Workout plans' }))
    expect(await namesFor(registry, 'workout')).toEqual(['book_train'])
    registry.unregister('book_train')
    expect(await namesFor(registry, 'workout train')).toEqual([])
  })

  it('finds the names of the parent and of resolvers', async () => {
    const resolver = { name: 'plugins', find: () => undefined, names: () => ['send_invoice'] }
    const registry = createRegistry([], { parent: createRegistry([weather]), resolvers: [resolver] })
    expect(await namesFor(registry, 'weather')).toEqual(['get_weather'])
    expect(await namesFor(registry, 'invoice')).toEqual(['send_invoice'])
  })

  it('supports a limit and a filter', async () => {
    const registry = createRegistry(Array.from({ length: 30 }, (_, index) => toolNamed(`probe_${index}`)))
    expect(await namesFor(registry, 'probe')).toHaveLength(8)
    expect(await namesFor(registry, 'probe', { limit: 2 })).toHaveLength(2)
    expect(await namesFor(registry, 'probe', { filter: ({ name }: { name: string }) => name === 'probe_7' })).toEqual(['probe_7'])
  })

  it('combines its order with that of another ranker', async () => {
    const registry = createRegistry([toolNamed('probe_a'), toolNamed('probe_b'), weather])
    const rank = vi.fn(async () => ['get_weather', 'probe_b'])
    expect(await namesFor(registry, 'probe', { rank })).toEqual(['probe_b', 'get_weather', 'probe_a'])
    expect(rank).toHaveBeenCalledWith('probe', expect.arrayContaining([expect.objectContaining({ name: 'get_weather' })]))
  })

  it('refuses a name that the ranker invented', async () => {
    const registry = createRegistry([weather])
    await expect(registry.search('weather', { rank: () => ['drop_tables'] })).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([undefined, null, 'weather', { 0: 'get_weather' }])(
    'refuses a ranker that does not return an array: %j',
    async (given) => {
      const registry = createRegistry([weather])
      const searching = registry.search('weather', { rank: () => given as never })
      await expect(searching).rejects.toThrow('rank must return an array of names')
    },
  )

  it.each([-1, Number.NaN])('refuses the limit %s, with a ranker and without one', async (limit) => {
    const registry = createRegistry([weather])
    for (const rank of [undefined, () => ['get_weather']]) {
      await expect(registry.search('weather', { limit, rank })).rejects.toThrow('limit must be a number of 0 or more')
    }
  })

  it('refuses an invalid card at the declaration of a tool', () => {
    expect(thrownBy(() => lazy('a', async () => toolNamed('a'), { tags: 'travel' as never }))).toMatchObject({
      code: 'invalid_entry',
    })
  })
})
