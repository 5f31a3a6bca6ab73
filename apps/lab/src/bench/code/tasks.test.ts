/** Both ways of each task make the same changes and come to the same answer, which is the right one. */
import { expect, it } from 'vitest'
import { runTask } from './run-task.ts'
import { TASKS } from './tasks.ts'
import { tabulateTasks } from './tasks-table.ts'

type Expected = readonly [answer: unknown, ...effects: (readonly [name: string, ...args: unknown[]])[]]

const reminder = (title: string, time: string) => ['set_reminder', title, time] as const
const seats = (event: string, count: number) => ['register_for_event', event, count] as const
const memory = (language: string, code: string) => ['memory_store', language, `[${code}] Where is the station?`] as const

const EXPECTED: readonly Expected[] = [
  [8900],
  [{ paid_from: 'savings', left: 8813.6 }, ['pay_bill', 'Northwind Energy', 86.4, 'savings', '']],
  [
    [
      { name: 'checking', paid: 2364.35 },
      { name: 'savings', paid: 0 },
      { name: 'credit card', paid: 370.4 },
      { name: 'vacation', paid: 0 },
    ],
  ],
  [
    { first: 450, rest: 1204.34, balance: 5000 },
    ['transfer_money', 'vacation', 'checking', 450, ''],
    ['transfer_money', 'savings', 'checking', 1204.34, ''],
  ],
  [{ name: 'StudyMate 14', price: 549 }, ['add_to_cart', 'LAP-102', 1]],
  [
    ['PixelForge 16', 'Granite Pro', 'StudioLine 80', 'ClearView 27', 'ClackMaster', 'Lumen X5'].map((name) =>
      expect.objectContaining({ name, rating: expect.any(Number), description: expect.any(String) }),
    ),
  ],
  [
    { order_id: 'ORD-1001', total: 598, products: ['Orbit Mini', 'StudioLine 80'] },
    ['add_to_cart', 'PHN-202', 1],
    ['add_to_cart', 'AUD-303', 1],
    ['checkout', ''],
  ],
  [
    { title: 'Bread Baking for Beginners', date: '2027-02-27', total_price: 150 },
    seats('EVT-107', 2),
    reminder('Bread Baking for Beginners', 'the day before 2027-02-27'),
  ],
  [
    [
      { title: 'Tiles of the South', total_price: 0 },
      { title: 'A Century of Posters', total_price: 12 },
      { title: 'Light and Water', total_price: 15 },
      { title: 'Danube Night Run', total_price: 25 },
      { title: 'Seven Hills Run', total_price: 35 },
    ],
    ...['EVT-112', 'EVT-111', 'EVT-110', 'EVT-115', 'EVT-114'].map((event) => seats(event, 1)),
    reminder('Tiles of the South', '2027-03-13'),
    reminder('A Century of Posters', '2027-05-08'),
    reminder('Light and Water', '2027-06-05'),
    reminder('Danube Night Run', '2027-09-18'),
    reminder('Seven Hills Run', '2027-10-03'),
  ],
  [
    ['Welsh', 'Danish', 'German', 'Greek', 'Italian'],
    memory('Welsh', 'cy'),
    memory('Danish', 'da'),
    memory('German', 'de'),
    memory('Greek', 'el'),
    memory('Italian', 'it'),
  ],
]

it.each(TASKS.map((task, index) => [task.request, task, EXPECTED[index]] as const))('%s', async (_, task, expected) => {
  const [direct, code] = [await runTask(task, 'direct'), await runTask(task, 'code')]
  const effects = direct.effects.map(({ name, args }) => [name, ...Object.values(args as object)])
  expect([JSON.parse(direct.answer), ...effects]).toEqual(expected)
  expect([code.answer, code.effects, code.calls]).toEqual([direct.answer, direct.effects, direct.calls])
})

it('the table has a row for each task, and their sums', async () => {
  const tasks = TASKS.filter(({ domains }) => domains.includes('events'))
  const { head, rows } = await tabulateTasks(tasks, 1)
  expect(rows.map(([task]) => task)).toEqual([...tasks.map(({ request }) => request), 'all'])
  const [one, two, all] = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])))
  expect(one).toMatchObject({ calls: 3, 'requests, direct': 4, 'requests, code': 2 })
  expect(two).toMatchObject({ calls: 13, 'requests, direct': 5, 'requests, code': 2 })
  expect(all).toMatchObject({ calls: 16, 'requests, direct': 9, 'requests, code': 4 })
  for (const name of head.slice(1)) expect(all?.[name]).toBeCloseTo(Number(one?.[name]) + Number(two?.[name]))
})
