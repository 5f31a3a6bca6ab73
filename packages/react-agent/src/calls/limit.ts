/** Runs tasks side by side, so many at a time. */

/** What each task gave, in their order. Rejects as soon as one does; tasks that may fail give that as a value. */
export async function runAll<T>(tasks: readonly (() => Promise<T>)[], limit: number): Promise<readonly T[]> {
  if (tasks.length <= limit) return Promise.all(tasks.map((task) => task()))
  const results: T[] = []
  let next = 0
  const work = async () => {
    while (next < tasks.length) {
      const index = next++
      results[index] = await (tasks[index] as () => Promise<T>)()
    }
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
