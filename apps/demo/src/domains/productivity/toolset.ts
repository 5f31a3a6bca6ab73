/** Reminders as a toolset: one list per user, kept in memory. */
import { method, Toolset } from '@x/toolset'
import * as Type from 'typebox'
import { userContext } from '../domain.ts'

interface Reminder {
  readonly reminder_id: string
  readonly title: string
  /** Time in the user's words. It is never parsed. */
  readonly time: string
}

export class ProductivityToolset extends Toolset {
  readonly name = 'productivity'
  readonly #lists = new Map<string, ReminderList>()

  readonly setReminder = method({
    name: 'set_reminder',
    description: 'Set a reminder: put a task and its time on the list of reminders',
    effect: 'write',
    args: Type.Object({
      title: Type.String({ minLength: 1, maxLength: 200, description: 'What to be reminded of, e.g. "Call the dentist"' }),
      time: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'When, in the words of the user, e.g. "tomorrow at 9 am" or "in 20 minutes"',
      }),
    }),
    context: userContext,
    execute: ({ title, time }, { values: { user_id } }) => this.#listOf(user_id).add(title.trim(), time.trim()),
  })

  readonly listReminders = method({
    name: 'list_reminders',
    description: 'List all reminders with their ids, oldest first',
    effect: 'read',
    args: Type.Object({}),
    context: userContext,
    execute: (_, { values: { user_id } }) => this.#listOf(user_id).all(),
  })

  readonly cancelReminder = method({
    name: 'cancel_reminder',
    description: 'Cancel or delete a reminder: take it off the list',
    effect: 'idempotent',
    args: Type.Object({
      reminder_id: Type.String({
        minLength: 1,
        description: 'Id of the reminder, as the list of reminders shows it, e.g. "REM-1"',
      }),
    }),
    context: userContext,
    execute: ({ reminder_id }, { values: { user_id } }) => this.#listOf(user_id).cancel(reminder_id),
  })

  #listOf(userId: string): ReminderList {
    const known = this.#lists.get(userId)
    if (known !== undefined) return known
    const list = new ReminderList()
    this.#lists.set(userId, list)
    return list
  }
}

const MAX_REMINDERS = 50

/** The reminders of one user. Numbers are never reused. */
class ReminderList {
  readonly #reminders = new Map<number, Reminder>()
  #lastNumber = 0

  add(title: string, time: string): Reminder {
    if (title === '') throw new Error('The title is empty. Say what the reminder is about.')
    if (time === '') throw new Error('The time is empty. Say when to remind, e.g. "tomorrow at 9 am".')
    if (this.#reminders.size >= MAX_REMINDERS)
      throw new Error(`There are already ${MAX_REMINDERS} reminders, which is the maximum. Cancel one first.`)
    this.#lastNumber += 1
    const reminder = { reminder_id: `REM-${this.#lastNumber}`, title, time }
    this.#reminders.set(this.#lastNumber, reminder)
    return reminder
  }

  all(): readonly Reminder[] {
    return [...this.#reminders.values()]
  }

  cancel(id: string) {
    // The id may be written as a person would: `REM-1`, `rem-1`, `#1` or `1`.
    const number = Number(/^(?:rem-|#)?(\d{1,9})$/i.exec(id.trim())?.[1])
    const reminder = this.#reminders.get(number)
    if (reminder === undefined)
      throw new Error(`There is no reminder "${id}". List the reminders to find the id, which looks like REM-1.`)
    this.#reminders.delete(number)
    return { ...reminder, cancelled: true }
  }
}
