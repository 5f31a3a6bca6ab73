import { callTool, type Tool } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, CITIES, PROGRAMME } from './programme.ts'
import { EventsToolset } from './toolset.ts'

/** Calls a tool as a model would, in a run of one user. */
async function call(events: EventsToolset, name: string, args: Record<string, unknown> = {}, user_id = 'alice') {
  const tool = events.tools().find((candidate) => candidate.name === name) as Tool
  const result = await callTool(tool, { id: '1', name, args }, { values: { user_id } })
  return result.ok ? result.output : result.error.message
}

const seatsLeft = async (events: EventsToolset, event_id: string) =>
  ((await call(events, 'get_event_details', { event_id })) as { seats_left: number }).seats_left

describe('the programme', () => {
  it('has no id twice, and something in every city and category', () => {
    expect(new Set(PROGRAMME.map(({ event_id }) => event_id)).size).toBe(PROGRAMME.length)
    expect(new Set(PROGRAMME.map(({ city }) => city))).toEqual(new Set(CITIES))
    expect(new Set(PROGRAMME.map(({ category }) => category))).toEqual(new Set(CATEGORIES))
  })
})

describe('find_events', () => {
  it.each([
    [{ category: 'concert' }, ['EVT-102', 'EVT-101', 'EVT-103']],
    [{ city: ' oslo ', category: 'workshop' }, ['EVT-109']],
    [{ date_from: '2027-09-18' }, ['EVT-115', 'EVT-114']],
    [{ date_from: '2027-01-23', date_to: '2027-02-12' }, ['EVT-102', 'EVT-101']],
    [{ max_price: 12 }, ['EVT-112', 'EVT-111']],
    [{ query: 'Runs', city: 'Vienna' }, ['EVT-115']],
    [{ query: 'beginners' }, ['EVT-107', 'EVT-109']],
    [{ city: 'Atlantis' }, []],
  ])('finds with %j, earliest first', async (filter, ids) => {
    const found = (await call(new EventsToolset(), 'find_events', filter)) as readonly { event_id: string }[]
    expect(found.map(({ event_id }) => event_id)).toEqual(ids)
  })

  it('finds everything without a filter, with the seats left', async () => {
    const found = await call(new EventsToolset(), 'find_events')
    expect(found).toHaveLength(PROGRAMME.length)
    expect(found).toContainEqual({
      event_id: 'EVT-108',
      title: 'Urban Sketching',
      category: 'workshop',
      city: 'Lisbon',
      date: '2027-04-17',
      price: 40,
      seats_left: 3,
    })
  })

  it.each([
    ['an unknown category', { category: 'opera' }, '/category'],
    ['a date in words', { date_from: 'next May' }, '/date_from'],
    ['a negative price', { max_price: -1 }, '/max_price'],
    ['a period that ends before it starts', { date_from: '2027-06-01', date_to: '2027-05-01' }, 'Swap them'],
  ])('refuses %s', async (_, filter, message) => {
    expect(await call(new EventsToolset(), 'find_events', filter)).toContain(message)
  })
})

describe('a registration', () => {
  it('takes seats, is listed, and releases the seats when it is cancelled', async () => {
    const events = new EventsToolset()
    expect(await call(events, 'register_for_event', { event_id: 'evt-107', seats: 3 })).toEqual({
      event_id: 'EVT-107',
      title: 'Bread Baking for Beginners',
      city: 'Vienna',
      date: '2027-02-27',
      seats: 3,
      total_price: 225,
    })
    await call(events, 'register_for_event', { event_id: 'EVT-101' })
    expect(await call(events, 'list_registrations')).toMatchObject([
      { event_id: 'EVT-101', seats: 1 },
      { event_id: 'EVT-107', seats: 3 },
    ])
    expect(await seatsLeft(events, 'EVT-107')).toBe(9)
    expect(await call(events, 'cancel_registration', { event_id: 'EVT-107' })).toMatchObject({ seats_returned: 3, refund: 225 })
    expect(await seatsLeft(events, 'EVT-107')).toBe(12)
    expect(await call(events, 'list_registrations')).toHaveLength(1)
  })

  it.each([
    ['for an unknown event', 'register_for_event', { event_id: 'EVT-999' }, 'There is no event "EVT-999"'],
    ['for an event that is sold out', 'register_for_event', { event_id: 'EVT-102' }, 'is sold out'],
    ['with more seats than are left', 'register_for_event', { event_id: 'EVT-108', seats: 4 }, 'only 3 seats left'],
    ['with no seat', 'register_for_event', { event_id: 'EVT-108', seats: 0 }, '/seats'],
    ['with half a seat', 'register_for_event', { event_id: 'EVT-108', seats: 0.5 }, '/seats'],
    ['that is not there, to be cancelled', 'cancel_registration', { event_id: 'EVT-108' }, 'There is no registration for'],
  ])('%s is refused, and changes nothing', async (_, name, args, message) => {
    const events = new EventsToolset()
    expect(await call(events, name, args)).toContain(message)
    expect(await call(events, 'list_registrations')).toEqual([])
    expect(await seatsLeft(events, 'EVT-108')).toBe(3)
  })

  it('is made once for each event, until it is cancelled', async () => {
    const events = new EventsToolset()
    await call(events, 'register_for_event', { event_id: 'EVT-108' })
    expect(await call(events, 'register_for_event', { event_id: 'EVT-108', seats: 2 })).toContain(
      'with 1 seat. To change it, cancel it first',
    )
    await call(events, 'cancel_registration', { event_id: 'EVT-108' })
    expect(await call(events, 'register_for_event', { event_id: 'EVT-108', seats: 2 })).toMatchObject({ seats: 2 })
  })

  it('belongs to one user, while all users take from the same seats', async () => {
    const events = new EventsToolset()
    await call(events, 'register_for_event', { event_id: 'EVT-108', seats: 2 })
    expect(await call(events, 'list_registrations', {}, 'bob')).toEqual([])
    expect(await call(events, 'cancel_registration', { event_id: 'EVT-108' }, 'bob')).toContain('There is no registration')
    expect(await call(events, 'register_for_event', { event_id: 'EVT-108', seats: 2 }, 'bob')).toContain('only 1 seat left')
    expect(await call(events, 'register_for_event', { event_id: 'EVT-108' }, 'bob')).toMatchObject({ seats: 1 })
    expect(await call(events, 'register_for_event', { event_id: 'EVT-108' }, 'carol')).toContain('sold out')
    expect(await call(events, 'list_registrations')).toMatchObject([{ seats: 2 }])
  })

  it('is kept by one toolset only', async () => {
    await call(new EventsToolset(), 'register_for_event', { event_id: 'EVT-108', seats: 3 })
    expect(await seatsLeft(new EventsToolset(), 'EVT-108')).toBe(3)
  })
})
