/** Events: a toolset over a fixed programme, with registrations for each user. */
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'
import { EventsToolset } from './toolset.ts'

export default {
  name: 'events',
  instructions: 'Help the user find events in 2027, register for them and cancel registrations.',
  createTools: () => [new EventsToolset()],
  scenarios,
} satisfies Domain
