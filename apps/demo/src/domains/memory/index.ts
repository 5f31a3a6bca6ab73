/** Memory: the key-value toolset that comes with `@x/toolset`. */
import { MemoryToolset } from '@x/toolset/memory'
import type { Domain } from '../domain.ts'

export default {
  name: 'memory',
  instructions: 'Remember things for the user and find them again.',
  createTools: () => [new MemoryToolset()],
  requests: [
    {
      request: 'Remember that my favorite tea is Blue Lotus',
      expected: [{ tool: 'memory_store', args: { value: 'Blue Lotus' } }],
    },
    { request: 'What is my favorite tea?', expected: [{ tool: 'memory_retrieve' }], answer: 'Blue Lotus' },
    { request: 'List all stored keys', expected: [{ tool: 'memory_list' }], answer: 'tea' },
  ],
} satisfies Domain
