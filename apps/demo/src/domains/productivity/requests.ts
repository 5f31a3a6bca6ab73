/** Requests about reminders, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'One reminder from start to end',
    requests: [
      {
        request: 'Remind me to call the dentist tomorrow at 9 am',
        expected: [{ tool: 'set_reminder', args: { time: 'tomorrow at 9 am' } }],
        answer: 'dentist',
      },
      { request: 'What reminders do I have?', expected: [{ tool: 'list_reminders' }], answer: 'dentist' },
      {
        request: 'I have called already. Please cancel reminder REM-1.',
        expected: [{ tool: 'cancel_reminder', args: { reminder_id: 'REM-1' } }],
      },
    ],
  },
  {
    title: 'Several reminders',
    requests: [
      {
        request: 'I need two reminders: "Pay the rent" on 1 December, and "Buy flowers" on 5 December at noon',
        expected: [
          { tool: 'set_reminder', args: { title: 'Pay the rent' } },
          { tool: 'set_reminder', args: { title: 'Buy flowers' } },
        ],
      },
      {
        request: 'Set a reminder with the title "Team lunch" for "Thursday 12:30"',
        expected: [{ tool: 'set_reminder', args: { title: 'Team lunch', time: 'Thursday 12:30' } }],
      },
      {
        request: 'Look through my reminders and cancel the one about the flowers',
        expected: [{ tool: 'list_reminders' }, { tool: 'cancel_reminder', args: { reminder_id: 'REM-2' } }],
      },
      { request: 'Which reminders are left now?', expected: [{ tool: 'list_reminders' }], answer: 'Team lunch' },
      {
        request: 'Cancel reminder REM-1, please',
        user: 'bob',
        expected: [{ tool: 'cancel_reminder', args: { reminder_id: 'REM-1' }, fails: true }],
      },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Move the 3 pm meeting in the team calendar to 4 pm', expected: [] },
      { request: 'Write a letter of thanks to my landlord and print it', expected: [] },
    ],
  },
]
