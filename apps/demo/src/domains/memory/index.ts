/** Memory: the key-value toolset that comes with `@x/toolset`. */
import { MemoryToolset } from '@x/toolset/memory'
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'

export default {
  name: 'memory',
  instructions: 'Remember things for the user and find them again.',
  createTools: () => [new MemoryToolset()],
  scenarios,
} satisfies Domain
