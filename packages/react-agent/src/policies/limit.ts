/** Runs tasks side by side, so many at a time. */

/** What each task came to, in their order. */
export async function settleAll<T>(tasks: readonly (() => Promise<T>)[], limit: number): Promise<PromiseSettledResult<T>[]> {
  if (tasks.length <= limit) return Promise.allSettled(tasks.map((task) => task()))
  const results: PromiseSettledResult<T>[] = []
  let next = 0
  const work = async () => {
    while (next < tasks.length) {
      const index = next++
      ;[results[index]] = (await Promise.allSettled([(tasks[index] as () => Promise<T>)()])) as [PromiseSettledResult<T>]
    }
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
