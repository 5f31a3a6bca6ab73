import { defineAction, sequence } from '@x/tool-core'
import { z } from 'zod'

const find = defineAction({
  name: 'find_user',
  description: 'Finds a user.',
  args: z.object({ name: z.string() }),
  output: z.object({ userId: z.string() }),
  execute: ({ name }) => ({ userId: name }),
})
const pay = defineAction({
  name: 'pay',
  description: 'Pays a user.',
  args: z.object({ userId: z.string(), amount: z.number() }),
  output: z.object({ receipt: z.string() }),
  execute: ({ userId }) => ({ receipt: userId }),
})

sequence('find_and_pay', find, pay)
