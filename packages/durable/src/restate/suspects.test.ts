import { expect, it } from 'vitest'
import { LEAST_CRASHES } from './options.ts'
import { Suspects } from './suspects.ts'

/** A server that keeps marks, and a worker that counts up to five crashes. */
function newPlace(maxCrashes = 5) {
  const marks = new Map<string, string>()
  const problems: unknown[] = []
  let isAway = false
  const server = {
    mark: async (id: string, mark: string) => {
      if (isAway) throw new Error('The server is away.')
      const invocation = `${id} ${mark}`
      const wasThere = marks.has(invocation)
      marks.set(invocation, 'running')
      return { invocation, wasThere }
    },
    kill: async (invocation: string) => {
      if (isAway) throw new Error('The server is away.')
      marks.set(invocation, 'killed')
    },
    purge: async (invocation: string) => {
      if (marks.get(invocation) === 'killed') marks.delete(invocation)
    },
  }
  const newWorker = () => new Suspects(server, maxCrashes, (problem) => problems.push(problem))
  const setAway = (value: boolean) => {
    isAway = value
  }
  return { marks, problems, newWorker, setAway }
}

const never = new Promise<never>(() => {})
const soon = () => new Promise((resolve) => setImmediate(resolve))

it('leaves no mark for a run that has failed less than twice since its last record', async () => {
  const { marks, newWorker } = newPlace()
  for (const retries of [0, 1]) expect(await newWorker().admit('a', { entries: 3, retries }, never)).toBeUndefined()
  expect(marks.size).toBe(0)
})

it('gives up a run whose workers die in mid-attempt, however many attempts found no worker', async () => {
  const { marks, newWorker } = newPlace()
  const start = { entries: 3, retries: 2 }
  for (const retries of [2, 9, 40]) await newWorker().admit('a', { entries: 3, retries }, never)
  await expect(newWorker().admit('a', start, never)).rejects.toMatchObject({ code: 'worker_crashed' })
  expect(marks.size).toBe(0)
  expect(await newWorker().admit('a', start, never)).toBeDefined()
})

it('counts again after a new record', async () => {
  const { newWorker } = newPlace(4)
  for (const entries of [3, 3, 4, 4]) await newWorker().admit('a', { entries, retries: 2 }, never)
  const last = newWorker().admit('a', { entries: 4, retries: 3 }, never)
  await expect(last).rejects.toMatchObject({ message: expect.stringContaining('4 times in a row') })
})

it('does not count an attempt that has ended', async () => {
  const { marks, newWorker } = newPlace(LEAST_CRASHES)
  for (let attempt = 0; attempt < 10; attempt++) {
    const worker = newWorker()
    const suspect = await worker.admit('a', { entries: 3, retries: 2 + attempt }, never)
    suspect?.end()
    suspect?.end()
    await worker.settled()
  }
  expect(marks.size).toBe(0)
})

it('gives up at most one of the runs that a worker interrupts when it dies', async () => {
  const { newWorker } = newPlace(LEAST_CRASHES)
  const ids = Array.from({ length: 20 }, (_, index) => `r${index}`)
  const givenUp: string[] = []
  for (let deaths = 0; deaths < 3; deaths++) {
    const worker = newWorker()
    for (const id of ids) worker.admit(id, { entries: 3, retries: 2 + deaths }, never).catch(() => givenUp.push(id))
    await soon()
    await soon()
  }
  expect(givenUp).toEqual(['r0'])
})

it('executes one of the runs that have left a mark at a time, until it has a record or ends', async () => {
  const { newWorker } = newPlace()
  const start = { entries: 3, retries: 2 }
  const ids = ['a', 'b', 'c', 'd']
  const before = newWorker()
  await Promise.all(ids.map((id) => before.admit(id, start, never)))
  const worker = newWorker()
  const admitted: string[] = []
  const fail = { c: (_: Error) => {} }
  const stopped = { c: new Promise<never>((_, reject) => (fail.c = reject)) } as Record<string, Promise<never>>
  const suspects = ids.map(async (id) => {
    const suspect = await worker.admit(id, start, stopped[id] ?? never)
    admitted.push(id)
    return suspect
  })
  await soon()
  expect(admitted).toEqual(['a'])
  ;(await suspects[0])?.hasRecord()
  await soon()
  expect(admitted).toEqual(['a', 'b'])
  const lost = expect(suspects[2]).rejects.toThrow('Lost.')
  fail.c(new Error('Lost.'))
  await lost
  await soon()
  expect(admitted).toEqual(['a', 'b'])
  ;(await suspects[1])?.end()
  await soon()
  expect(admitted).toEqual(['a', 'b', 'd'])
})

it('executes a run without a mark if the server does not answer, and reports that', async () => {
  const { problems, newWorker, setAway } = newPlace()
  const worker = newWorker()
  setAway(true)
  const suspect = await worker.admit('a', { entries: 3, retries: 2 }, never)
  suspect?.end()
  await worker.settled()
  expect(problems).toHaveLength(1)
  setAway(false)
  const marked = await worker.admit('a', { entries: 3, retries: 2 }, never)
  setAway(true)
  marked?.end()
  await worker.settled()
  expect(problems).toHaveLength(2)
})
