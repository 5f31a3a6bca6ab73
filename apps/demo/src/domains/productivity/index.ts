/** Productivity: a toolset for reminders, with one list per user. */
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'
import { ProductivityToolset } from './toolset.ts'

export default {
  name: 'productivity',
  instructions:
    "Keep the user's reminders. Keep times as the user said them. The list only shows reminders; it never sends notifications.",
  createTools: () => [new ProductivityToolset()],
  scenarios,
} satisfies Domain
