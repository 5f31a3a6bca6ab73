/** Events: a toolset over a fixed programme, with registrations for each user. */
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'
import { EventsToolset } from './toolset.ts'

export default {
  name: 'events',
  instructions: 'Help to find events of the year 2027, to register for them and to cancel registrations.',
  createTools: () => [new EventsToolset()],
  scenarios,
} satisfies Domain
