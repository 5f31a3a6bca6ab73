import { describe, expect, it } from 'vitest'
import type { ToolCard } from './card.ts'
import { BM25FIndex, createToolIndex, type SearchOptions } from './tool-index.ts'

const cards: readonly ToolCard[] = [
  { name: 'get_weather', description: 'Tells how warm it is in a city.', arguments: ['city'] },
  { name: 'send_mail', description: 'Sends a message.', arguments: [{ name: 'address', description: 'Of the receiver.' }] },
  { name: 'book_flight', description: 'Books a seat.', arguments: [{ name: 'cabin', values: ['economy', 'business'] }] },
  { name: 'bake_cake', description: 'Makes a dessert.', category: 'kitchen', tags: ['sweets'] },
]
const find = (query: string, options?: SearchOptions) =>
  createToolIndex(cards)
    .search(query, options)
    .map(({ name }) => name)

describe('a search', () => {
  it.each([
    ['part of a name', 'WEATHER', 'get_weather'],
    ['a description', 'somewhere in the cities', 'get_weather'],
    ['the name of an argument', 'by address', 'send_mail'],
    ['the description of an argument', 'many receivers', 'send_mail'],
    ['a value of an argument', 'I fly business', 'book_flight'],
    ['the category', 'in my kitchen', 'bake_cake'],
    ['a tag', 'sweets', 'bake_cake'],
    ['another form of a word', 'a booking', 'book_flight'],
    ['a word with the same start', 'weatherproof', 'get_weather'],
  ])('finds by %s', (_, query, name) => expect(find(query)).toEqual([name]))

  it('finds nothing for a query that shares no word with any tool', () => {
    for (const query of ['', '?', 'the of and', 'zebra', '42']) expect(find(query)).toEqual([])
  })

  it('finds a tool whose name consists of stop words', () => {
    const index = createToolIndex([...cards, { name: 'get_all' }])
    expect(index.search('get_all').map(({ name }) => name)).toEqual(['get_all'])
  })

  it('returns the added card with a score', () => {
    const [hit] = createToolIndex(cards).search('weather')
    expect(hit).toEqual({ name: 'get_weather', score: expect.any(Number), card: cards[0] })
    expect(hit?.card).toBe(cards[0])
  })

  it('ranks a tool first if the query contains its whole name', () => {
    const index = createToolIndex([
      { name: 'create_report_chart' },
      { name: 'create_report' },
      { name: 'create_chart_of_report_costs' },
    ])
    expect(index.search('create a report for me')[0]?.name).toBe('create_report')
  })

  it('ranks a tool with two adjacent query words before one in which they are apart', () => {
    const index = createToolIndex([
      { name: 'a', description: 'estate of a real owner' },
      { name: 'b', description: 'owner of real estate' },
    ])
    expect(index.search('real estate')[0]?.name).toBe('b')
  })

  it('reads scripts without spaces', () => {
    const index = createToolIndex([
      { name: 'a', description: '查询天气预报' },
      { name: 'b', description: '发送电子邮件' },
    ])
    expect(index.search('明天的天气怎么样').map(({ name }) => name)).toEqual(['a'])
  })

  it('sorts equal scores by name, in any order of adding', () => {
    const twins = ['b', 'a', 'C'].map((name) => ({ name, description: 'weather' }))
    for (const list of [twins, twins.toReversed()]) {
      expect(
        createToolIndex(list)
          .search('weather')
          .map(({ name }) => name),
      ).toEqual(['C', 'a', 'b'])
    }
  })

  it('returns at most 8 hits by default, or the given limit', () => {
    const index = createToolIndex(Array.from({ length: 20 }, (_, number) => ({ name: `tool_${number}`, description: 'weather' })))
    const count = (limit?: number) => index.search('weather', { limit }).length
    expect([count(), count(0), count(3), count(2.5), count(Infinity)]).toEqual([8, 0, 3, 2, 20])
  })

  it('returns the best matches that pass a filter', () => {
    expect(find('weather mail flight', { limit: 1, filter: ({ name }) => name.startsWith('b') })).toEqual(['book_flight'])
  })

  it('may run inside the filter of another search', () => {
    const index = createToolIndex(cards)
    const hits = index.search('weather mail', { filter: ({ name }) => index.search(name)[0]?.name === name })
    expect(hits.map(({ name }) => name).sort()).toEqual(['get_weather', 'send_mail'])
    expect(index.search('weather mail')).toEqual(hits)
  })

  it('still works after a filter threw', () => {
    const index = createToolIndex(cards)
    const filter = () => {
      throw new Error('no filter today')
    }
    expect(() => index.search('weather', { filter })).toThrow('no filter today')
    expect(index.search('mail').map(({ name }) => name)).toEqual(['send_mail'])
  })

  it('refuses a query that is not a string and a limit that is not a number', () => {
    const index = createToolIndex(cards)
    expect(() => index.search(7 as never)).toThrow('search: query must be a string, got number.')
    expect(() => index.search('a', { limit: -1 })).toThrow('search: limit must be a number of 0 or more, got -1.')
    expect(() => index.search('a', { limit: Number.NaN })).toThrow('got NaN')
  })
})

describe('an index', () => {
  it('reports its number of cards', () => {
    const index = createToolIndex(cards)
    index.add({ name: 'bake_cake' })
    expect([index.size, index.remove('bake_cake'), index.remove('bake_cake'), index.size]).toEqual([4, true, false, 3])
  })

  it('replaces a card with the same name', () => {
    const index = createToolIndex(cards)
    index.search('weather')
    index.add({ name: 'get_weather', description: 'Tells about snow.' })
    expect(index.search('snow').map(({ name }) => name)).toEqual(['get_weather'])
    expect(index.search('warm')).toEqual([])
  })

  it('gives the same results if it is changed and searched while it reads ahead', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => ({
      name: `tool_${n}`,
      description: `Sends mail ${n % 7} to ${n % 11}.`,
    }))
    const task = () => new Promise((resolve) => setImmediate(resolve))
    const ahead = (all: readonly ToolCard[]) => {
      const index = new BM25FIndex()
      for (const card of all) index.add(card)
      return { index, reading: index.readAhead() }
    }
    let tasks = 0
    let isRead = false
    const whole = ahead(many).reading.then(() => {
      isRead = true
    })
    for (; !isRead; tasks++) await task()
    await whole
    const queries = ['mail 3 weather', 'tool 7', 'tool 2345', 'tool 5432']
    const fresh = createToolIndex([...many.slice(1), ...cards])
    const expected = queries.map((query) => fresh.search(query))
    // In the first tasks, the cards are read. In the last ones, the terms are weighed.
    for (const before of [1, tasks - 5, tasks - 4, tasks - 3, tasks - 2]) {
      const { index, reading } = ahead(many)
      for (let left = before; left > 0; left--) await task()
      index.remove('tool_0')
      for (const card of cards) index.add(card)
      index.search('mail')
      await reading
      expect(queries.map((query) => index.search(query))).toEqual(expected)
    }
  })

  it('supports names of inherited properties', () => {
    const index = createToolIndex([{ name: '__proto__', arguments: ['constructor'] }, { name: 'toString' }])
    expect(index.search('constructor __proto__').map(({ name }) => name)).toEqual(['__proto__'])
    expect(index.search('to string').map(({ name }) => name)).toEqual(['toString'])
  })

  it.each([
    [null, 'name must be a non-empty string, got undefined'],
    [{ name: '' }, 'name must be a non-empty string'],
    [{ name: 'a', description: 7 }, 'Invalid card for tool "a": description must be a string, got a value of type number.'],
    [{ name: 'a', category: [] }, 'category must be a string, got an array'],
    [{ name: 'a', tags: 'x' }, 'tags must be an array of strings'],
    [{ name: 'a', arguments: [{ name: 'b', values: [1] }] }, 'arguments must be an array of names or of'],
  ])('refuses %j and stays unchanged', (card, reason) => {
    const index = createToolIndex([{ name: 'probe' }])
    expect(() => index.add(card as never)).toThrow(
      expect.objectContaining({ code: 'invalid_entry', message: expect.stringContaining(reason) }),
    )
    expect([index.search('probe').length, index.size]).toEqual([1, 1])
  })
})
