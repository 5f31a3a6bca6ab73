/** Events as a toolset: one programme, with registrations for each user. */
import { method, Toolset } from '@x/toolset'
import * as Type from 'typebox'
import { userContext } from '../domain.ts'
import { BoxOffice } from './box-office.ts'
import { CATEGORIES, CITIES } from './programme.ts'

const eventId = Type.String({ minLength: 1, description: 'Id of the event, as a search returns it, e.g. "EVT-101"' })
const date = (description: string) => Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }))

export class EventsToolset extends Toolset {
  readonly name = 'events'
  readonly #office = new BoxOffice()

  readonly findEvents = method({
    name: 'find_events',
    description: 'Find or list events by words, city, category, date and price, earliest first',
    effect: 'read',
    args: Type.Object({
      query: Type.Optional(Type.String({ description: 'Words that the title or the description of the event contains' })),
      city: Type.Optional(Type.String({ description: `City of the event: ${CITIES.join(', ')}` })),
      category: Type.Optional(Type.Enum([...CATEGORIES], { description: 'Event category' })),
      date_from: date('First day, as YYYY-MM-DD'),
      date_to: date('Last day, as YYYY-MM-DD'),
      max_price: Type.Optional(Type.Number({ minimum: 0, description: 'Highest price of a seat, in euros' })),
    }),
    execute: (filter) => this.#office.find(filter),
  })

  readonly getEventDetails = method({
    name: 'get_event_details',
    description: 'Get the details of one event: description, date, price or cost, and seats or tickets left, or sold out',
    effect: 'read',
    args: Type.Object({ event_id: eventId }),
    execute: ({ event_id }) => this.#office.details(event_id),
  })

  readonly registerForEvent = method({
    name: 'register_for_event',
    description: 'Register the user for an event: book seats, places or tickets',
    effect: 'write',
    args: Type.Object({
      event_id: eventId,
      seats: Type.Integer({ minimum: 1, default: 1, description: 'How many seats' }),
    }),
    context: userContext,
    execute: ({ event_id, seats }, { values: { user_id } }) => this.#office.register(user_id, event_id, seats),
  })

  readonly listRegistrations = method({
    name: 'list_registrations',
    description: 'List the events that the user is registered for, with the seats and the total price of each',
    effect: 'read',
    args: Type.Object({}),
    context: userContext,
    execute: (_, { values: { user_id } }) => this.#office.registrations(user_id),
  })

  readonly cancelRegistration = method({
    name: 'cancel_registration',
    description: 'Cancel the registration of the user for an event and give up all its seats',
    effect: 'write',
    args: Type.Object({ event_id: eventId }),
    context: userContext,
    execute: ({ event_id }, { values: { user_id } }) => this.#office.cancel(user_id, event_id),
  })
}
