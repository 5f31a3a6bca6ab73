import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LEAST_CRASHES } from './options.ts'
import { Suspects } from './suspects.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server that keeps marks, and workers that count up to five crashes. */
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
  /** Starts a worker that is executing these attempts. */
  const newWorker = (attempts: ReadonlySet<unknown> = new Set()) =>
    new Suspects(server, maxCrashes, (problem) => problems.push(problem), attempts)
  const setAway = (value: boolean) => {
    isAway = value
  }
  return { marks, problems, newWorker, setAway }
}

const never = new Promise<never>(() => {})
const start = { entries: 3, retries: 1 }
/** Longer than all delays together. */
const LONG = 60_000

/** Admits the run to a worker. Resolves when all delays have passed. */
async function admit(worker: Suspects, id: string, { entries, retries } = start) {
  const admitted = worker.admit(id, { entries, retries }, never)
  admitted.catch(() => {})
  await vi.advanceTimersByTimeAsync(LONG)
  return await admitted
}

it('leaves no mark for a run whose last attempt has not failed', async () => {
  const { marks, newWorker } = newPlace()
  expect(await newWorker().admit('a', { entries: 3, retries: 0 }, never)).toBeUndefined()
  expect(marks.size).toBe(0)
})

it('gives up a run whose workers die in mid-attempt, however many attempts found no worker', async () => {
  const { marks, newWorker } = newPlace()
  for (const retries of [1, 2, 9, 40]) await admit(newWorker(), 'a', { entries: 3, retries })
  await expect(admit(newWorker(), 'a')).rejects.toMatchObject({ code: 'worker_crashed' })
  expect(marks.size).toBe(0)
  expect(await admit(newWorker(), 'a')).toBeDefined()
})

it('counts again after a new record', async () => {
  const { newWorker } = newPlace(4)
  for (const entries of [3, 3, 4, 4, 4]) await admit(newWorker(), 'a', { entries, retries: 1 })
  await expect(admit(newWorker(), 'a', { entries: 4, retries: 3 })).rejects.toMatchObject({
    message: expect.stringContaining('4 times in a row'),
  })
})

it('does not count an attempt that has ended', async () => {
  const { marks, newWorker } = newPlace(LEAST_CRASHES)
  for (let retries = 1; retries <= 10; retries++) {
    const worker = newWorker()
    const marked = await admit(worker, 'a', { entries: 3, retries })
    marked?.end()
    marked?.end()
    await worker.settled()
  }
  expect(marks.size).toBe(0)
})

it('gives up one at a time of the runs that a worker interrupts when it dies', async () => {
  const { newWorker } = newPlace(LEAST_CRASHES)
  const ids = Array.from({ length: 20 }, (_, index) => `r${index}`)
  const givenUp: string[] = []
  // Each of them is executed alone twice, and the first one once more.
  for (let retries = 1; retries <= 42 && givenUp.length === 0; retries++) {
    const worker = newWorker()
    for (const id of ids) worker.admit(id, { entries: 3, retries }, never).catch(() => givenUp.push(id))
    await vi.advanceTimersByTimeAsync(LONG)
  }
  expect(givenUp).toHaveLength(1)
})

it('executes interrupted runs one after the other: the next one when the one before has a record or ends, or after a moment', async () => {
  const { marks, newWorker } = newPlace()
  const worker = newWorker()
  const admitted = ['a', 'b', 'c', 'd'].map((id) => worker.admit(id, start, never))
  await vi.advanceTimersByTimeAsync(0)
  expect([...marks.keys()]).toEqual(['a 3 1'])
  ;(await admitted[0])?.hasRecord()
  await vi.advanceTimersByTimeAsync(0)
  expect([...marks.keys()]).toEqual(['a 3 1', 'b 3 1'])
  ;(await admitted[1])?.end()
  await vi.advanceTimersByTimeAsync(0)
  expect([...marks.keys()]).toEqual(['a 3 1', 'c 3 1'])
  await vi.advanceTimersByTimeAsync(300)
  expect([...marks.keys()]).toEqual(['a 3 1', 'c 3 1', 'd 3 1'])
})

it('lets a thousand interrupted runs follow each other within little more than a minute', async () => {
  const { marks, newWorker } = newPlace()
  const worker = newWorker()
  for (let run = 0; run < 1000; run++) void worker.admit(`r${run}`, start, never)
  await vi.advanceTimersByTimeAsync(65_000)
  expect(marks.size).toBe(1000)
})

it.each([
  ['waits a second', 0, 900],
  ['waits longer while the worker executes other runs', 1, 4900],
])('a suspect %s', async (_, others, ms) => {
  const { newWorker } = newPlace()
  await admit(newWorker(), 'a')
  const worker = newWorker(new Set(Array.from({ length: others + 1 }, (_, index) => index)))
  let isAdmitted = false
  void worker.admit('a', start, never).then(() => {
    isAdmitted = true
  })
  await vi.advanceTimersByTimeAsync(ms)
  expect(isAdmitted).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(isAdmitted).toBe(true)
})

it('executes one suspect at a time, until it has a record or ends', async () => {
  const { newWorker } = newPlace()
  const ids = ['a', 'b', 'c', 'd']
  const before = newWorker()
  for (const id of ids) await admit(before, id)
  const worker = newWorker()
  const admitted: string[] = []
  const fail = { c: (_: Error) => {} }
  const stopped = { c: new Promise<never>((_, reject) => (fail.c = reject)) } as Record<string, Promise<never>>
  const suspects = ids.map(async (id) => {
    const marked = await worker.admit(id, start, stopped[id] ?? never)
    admitted.push(id)
    return marked
  })
  await vi.advanceTimersByTimeAsync(LONG)
  expect(admitted).toEqual(['a'])
  ;(await suspects[0])?.hasRecord()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(admitted).toEqual(['a', 'b'])
  const lost = expect(suspects[2]).rejects.toThrow('Lost.')
  fail.c(new Error('Lost.'))
  await lost
  await vi.advanceTimersByTimeAsync(LONG)
  expect(admitted).toEqual(['a', 'b'])
  ;(await suspects[1])?.end()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(admitted).toEqual(['a', 'b', 'd'])
})

it('stops the delay of a suspect when its attempt is stopped', async () => {
  const { marks, newWorker } = newPlace()
  await admit(newWorker(), 'a')
  let stop = (_: Error) => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const lost = expect(newWorker().admit('a', start, stopped)).rejects.toThrow('Lost.')
  await vi.advanceTimersByTimeAsync(500)
  stop(new Error('Lost.'))
  await lost
  expect(marks.size).toBe(1)
})

it('executes a run without a mark if the server does not answer, and reports that', async () => {
  const { problems, newWorker, setAway } = newPlace()
  const worker = newWorker()
  setAway(true)
  const unmarked = await admit(worker, 'a')
  unmarked?.end()
  await worker.settled()
  expect(problems).toHaveLength(1)
  setAway(false)
  const marked = await admit(worker, 'a')
  setAway(true)
  marked?.end()
  await worker.settled()
  expect(problems).toHaveLength(2)
})
