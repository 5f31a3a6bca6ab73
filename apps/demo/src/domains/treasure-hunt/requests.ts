/** Requests for the treasure hunt, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'Hints and a guess',
    requests: [
      { request: 'Give me a hint about the treasure', expected: [{ tool: 'give_hint' }], answer: 'coffee and rain' },
      {
        request: 'I have been given 2 hints already. Give me one more.',
        expected: [{ tool: 'give_hint', args: { hint_total: 2 } }],
        answer: 'wife',
      },
      {
        request: 'My guess for the treasure: address "101 Lenora Street", city Seattle, state Washington',
        expected: [{ tool: 'guess_location', args: { address: '101 Lenora Street', city: 'Seattle', state: 'Washington' } }],
      },
    ],
  },
  {
    title: 'Further hints',
    requests: [
      { request: 'I have no idea where to look. May I have a first hint?', expected: [{ tool: 'give_hint' }], answer: 'rain' },
      {
        request: 'So far I have had 1 hint. What is the next one?',
        expected: [{ tool: 'give_hint', args: { hint_total: 1 } }],
        answer: 'market',
      },
      {
        request: 'You have told me three hints by now. Is there another one?',
        expected: [{ tool: 'give_hint', args: { hint_total: 3 } }],
        answer: 'no more hints',
      },
    ],
  },
  {
    title: 'Wrong and unfinished guesses',
    requests: [
      {
        request: 'Could the treasure be in Portland, Oregon?',
        expected: [{ tool: 'guess_location', args: { city: 'Portland', state: 'Oregon' } }],
      },
      {
        request: 'I think it lies at "85 Pike Street" in Seattle, Washington. Am I right?',
        expected: [{ tool: 'guess_location', args: { address: '85 Pike Street', city: 'Seattle', state: 'Washington' } }],
      },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Hide a new treasure in Denver for my friends', expected: [] },
      { request: 'How long does the train from Chicago to Boston take?', expected: [] },
    ],
  },
]
