/** Requests to the memory, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'Remember and find again',
    requests: [
      {
        request: 'Remember that my favorite tea is Blue Lotus',
        expected: [{ tool: 'memory_store', args: { value: 'Blue Lotus' } }],
      },
      { request: 'What is my favorite tea?', expected: [{ tool: 'memory_retrieve' }], answer: 'Blue Lotus' },
      { request: 'List all stored keys', expected: [{ tool: 'memory_list' }], answer: 'tea' },
    ],
  },
  {
    title: 'Entries by their key',
    requests: [
      {
        request: 'Save "42 Elm Street" under the key "address"',
        expected: [{ tool: 'memory_store', args: { key: 'address', value: '42 Elm Street' } }],
      },
      {
        request: 'What did I store under "address"?',
        expected: [{ tool: 'memory_retrieve', args: { key: 'address' } }],
        answer: '42 Elm Street',
      },
      {
        request: 'I moved. Please change the entry "address" to "7 Oak Road".',
        expected: [{ tool: 'memory_update', args: { key: 'address', value: '7 Oak Road' } }],
      },
      {
        request: 'Search my entries for the text "Oak"',
        expected: [{ tool: 'memory_search', args: { text: 'Oak' } }],
        answer: '7 Oak Road',
      },
      {
        request: 'Store "Oslo" under the key "city", and then tell me all the keys there are',
        expected: [{ tool: 'memory_store', args: { key: 'city', value: 'Oslo' } }, { tool: 'memory_list' }],
        answer: 'city',
      },
      { request: 'Delete the entry with the key "address"', expected: [{ tool: 'memory_delete', args: { key: 'address' } }] },
      { request: 'Forget everything that you have stored', expected: [{ tool: 'memory_clear' }] },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Send an e-mail to Anna that I will be late', expected: [] },
      { request: 'Turn off the lights in the kitchen', expected: [] },
    ],
  },
]
