/** Tests the subjects of the bench: each makes every call and returns the sum, and one that skips work is detected. */
import { expect, it } from 'vitest'
import { code } from './code.ts'
import { bare, bareWithTrip, inline, journaled, nested, worker } from './code-subjects.ts'
import { type CodeSubject, openProgram } from './code-workload.ts'

it.each(Object.entries({ bare, bareWithTrip, inline, journaled, nested, worker }))(
  '%s runs the program in every case, again and again',
  async (_, subject) => {
    for (const how of ['in a row', '50 at once', 'start'] as const) {
      const workload = await openProgram(subject, how)
      await workload.verify()
      await workload.run()
    }
  },
)

it('names the subjects and cases of its goals', () => {
  for (const cell of code.goals.flatMap((goal) => [goal.cell, goal.over])) {
    expect(code.subjects.map(({ name }) => name)).toContain(cell.subject)
    expect(code.cases).toContain(cell.case)
  }
})

it.each<[string, CodeSubject, string]>([
  ['skips the calls', { open: () => ({ run: async () => 125_250 }) }, 'executed 0 times, not 500'],
  ['returns another sum', { open: () => ({ run: async () => 1 }) }, 'The program returned 1'],
  [
    'makes the calls in another order',
    {
      open: ({ look }) => ({
        run: async () => {
          for (let value = 500; value > 0; value--) look({ value })
          return 125_250
        },
      }),
    },
    'Call 1 was executed with 500',
  ],
])('rejects a subject that %s', async (_, subject, problem) => {
  const workload = await openProgram(subject, 'in a row')
  await expect(workload.verify()).rejects.toThrow(problem)
})
