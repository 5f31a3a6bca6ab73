/** Requests about events, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'From search to registration and back',
    requests: [
      {
        request: 'Which concerts are coming up?',
        expected: [{ tool: 'find_events', args: { category: 'concert' } }],
        answer: 'Fjord Jazz Night',
      },
      {
        request: 'Find a workshop in Lisbon and register me for it',
        expected: [
          { tool: 'find_events', args: { category: 'workshop', city: 'Lisbon' } },
          { tool: 'register_for_event', args: { event_id: 'EVT-108' } },
        ],
        answer: 'Urban Sketching',
      },
      { request: 'What am I registered for?', expected: [{ tool: 'list_registrations' }], answer: 'Urban Sketching' },
      {
        request: 'I cannot come. Please cancel my registration for EVT-108.',
        expected: [{ tool: 'cancel_registration', args: { event_id: 'EVT-108' } }],
      },
    ],
  },
  {
    title: 'Looking around',
    requests: [
      {
        request: 'What can I go to in Vienna for at most 30 euros?',
        expected: [{ tool: 'find_events', args: { city: 'Vienna', max_price: 30 } }],
        answer: 'Danube Night Run',
      },
      {
        request: 'Show me the exhibitions between 1 May 2027 and 31 May 2027',
        expected: [{ tool: 'find_events', args: { category: 'exhibition', date_from: '2027-05-01', date_to: '2027-05-31' } }],
        answer: 'A Century of Posters',
      },
      {
        request: 'Tell me more about the event EVT-109. Is it suitable for beginners?',
        expected: [{ tool: 'get_event_details', args: { event_id: 'EVT-109' } }],
        answer: 'First Pots',
      },
      {
        request: 'Find the cheapest event in Oslo and show me its details',
        expected: [
          { tool: 'find_events', args: { city: 'Oslo' } },
          { tool: 'get_event_details', args: { event_id: 'EVT-110' } },
        ],
        answer: 'Light and Water',
      },
    ],
  },
  {
    title: 'Seats',
    requests: [
      {
        request: 'Register me for EVT-108, 2 seats please',
        expected: [{ tool: 'register_for_event', args: { event_id: 'EVT-108', seats: 2 } }],
      },
      {
        request: 'I would like 2 seats for the event EVT-108',
        user: 'bob',
        expected: [{ tool: 'register_for_event', args: { event_id: 'EVT-108', seats: 2 }, fails: true }],
      },
      {
        request: 'Sign me up for EVT-102',
        expected: [{ tool: 'register_for_event', args: { event_id: 'EVT-102' }, fails: true }],
        answer: 'sold out',
      },
      {
        request: 'Check what I am registered for and cancel all of it',
        expected: [{ tool: 'list_registrations' }, { tool: 'cancel_registration', args: { event_id: 'EVT-108' } }],
      },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Book a hotel room in Vienna for two nights', expected: [] },
      { request: 'What will the weather be like in Oslo on 29 May 2027?', expected: [] },
    ],
  },
]
