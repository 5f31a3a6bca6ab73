/** Keeps the registrations for all events and counts the seats that are left. */
import { searchWords } from '../search-words.ts'
import { type Category, CURRENCY, PROGRAMME, type ProgrammeItem } from './programme.ts'

export interface EventFilter {
  readonly query?: string | undefined
  readonly city?: string | undefined
  readonly category?: Category | undefined
  /** ISO dates, inclusive. */
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
  readonly max_price?: number | undefined
}

export interface EventSummary {
  readonly event_id: string
  readonly title: string
  readonly category: Category
  readonly city: string
  readonly date: string
  readonly price: number
  readonly currency: string
  readonly seats_left: number
}

export interface Registration {
  readonly event_id: string
  readonly title: string
  readonly city: string
  readonly date: string
  readonly seats: number
  readonly total_price: number
  readonly currency: string
}

/** Keeps track of the seats. All users share them, and each registration belongs to one user. */
export class BoxOffice {
  /** Number of registered seats, by event and user. */
  readonly #taken = new Map(PROGRAMME.map(({ event_id }) => [event_id, new Map<string, number>()]))

  /** Returns the events that meet every condition, earliest first. Throws if the period ends before it starts. */
  find(filter: EventFilter): readonly EventSummary[] {
    const { date_from = '', date_to = '9999', max_price = Number.POSITIVE_INFINITY, category, query = '' } = filter
    if (date_from > date_to) throw new Error(`date_from (${date_from}) is after date_to (${date_to}). Swap them.`)
    const city = filter.city?.trim().toLowerCase()
    const words = searchWords(query)
    return PROGRAMME.filter((event) => event.date >= date_from && event.date <= date_to && event.price <= max_price)
      .filter((event) => category === undefined || event.category === category)
      .filter((event) => city === undefined || event.city.toLowerCase() === city)
      .filter((event) => words.every((word) => textOf(event).includes(word)))
      .map((event) => this.#toSummary(event))
  }

  /** Returns one event with its description. Throws for an unknown id. */
  details(eventId: string): EventSummary & { readonly description: string } {
    const event = findEvent(eventId)
    return { ...this.#toSummary(event), description: event.description }
  }

  /** Registers a user for an event. Throws if too few seats are left or the user is already registered. */
  register(userId: string, eventId: string, seats: number): Registration {
    const event = findEvent(eventId)
    const { event_id, title, seats_left } = this.#toSummary(event)
    const had = this.#seatsOf(event).get(userId)
    if (had !== undefined)
      throw new Error(
        `There is already a registration for "${title}" (${event_id}), with ${inSeats(had)}. To change it, cancel it first.`,
      )
    if (seats_left === 0) throw new Error(`"${title}" (${event_id}) is sold out; other events may have seats.`)
    if (seats > seats_left)
      throw new Error(
        `"${title}" (${event_id}) has only ${inSeats(seats_left)} left; ${seats} would be too many. Nothing was registered.`,
      )
    this.#seatsOf(event).set(userId, seats)
    return toRegistration(event, seats)
  }

  /** Returns a user's registrations, earliest first. */
  registrations(userId: string): readonly Registration[] {
    return PROGRAMME.flatMap((event) => {
      const seats = this.#seatsOf(event).get(userId)
      return seats === undefined ? [] : [toRegistration(event, seats)]
    })
  }

  /** Cancels a user's registration. Throws if the user isn't registered. */
  cancel(userId: string, eventId: string) {
    const event = findEvent(eventId)
    const { event_id, title, price } = event
    const seats = this.#seatsOf(event).get(userId)
    if (seats === undefined)
      throw new Error(`There is no registration for "${title}" (${event_id}). List the registrations to find the right event.`)
    this.#seatsOf(event).delete(userId)
    return { event_id, title, seats_returned: seats, refund: seats * price, currency: CURRENCY }
  }

  #seatsOf({ event_id }: ProgrammeItem): Map<string, number> {
    return this.#taken.get(event_id) as Map<string, number>
  }

  #toSummary(event: ProgrammeItem): EventSummary {
    const { seats, description: _, ...shown } = event
    const taken = [...this.#seatsOf(event).values()].reduce((sum, count) => sum + count, 0)
    return { ...shown, currency: CURRENCY, seats_left: seats - taken }
  }
}

function findEvent(id: string): ProgrammeItem {
  const event = PROGRAMME.find(({ event_id }) => event_id === id.trim().toUpperCase())
  if (event === undefined) throw new Error(`There is no event "${id}". Find events to see their ids, which look like EVT-101.`)
  return event
}

function toRegistration({ event_id, title, city, date, price }: ProgrammeItem, seats: number): Registration {
  return { event_id, title, city, date, seats, total_price: seats * price, currency: CURRENCY }
}

function inSeats(count: number): string {
  return count === 1 ? '1 seat' : `${count} seats`
}

function textOf({ title, category, city, description }: ProgrammeItem): string {
  return [title, category, city, description].join(' ').toLowerCase()
}
