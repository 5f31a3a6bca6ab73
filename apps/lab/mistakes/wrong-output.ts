import { defineAction } from '@x/tool-core'
import { z } from 'zod'

defineAction({
  name: 'find_user',
  description: 'Finds a user.',
  args: z.object({ name: z.string() }),
  output: z.object({ userId: z.string() }),
  execute: () => ({ userId: 1 }),
})
