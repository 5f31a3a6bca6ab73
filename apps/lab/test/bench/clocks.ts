/** Fake clocks for tests of measurements. Each reading advances them by a fixed time. */
import { onTestFinished, vi } from 'vitest'

/** Replaces the CPU clock and the wall clock until the test ends. Each reading advances them by this many milliseconds. */
export function stepClocks({ cpu, wall }: { readonly cpu: number; readonly wall: number }): void {
  let [cpuLooks, wallLooks] = [0, 0]
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => wall * wallLooks++)
  const processor = vi.spyOn(process, 'cpuUsage').mockImplementation((since) => {
    return { user: 1000 * cpu * cpuLooks++ - (since?.user ?? 0), system: 0 }
  })
  onTestFinished(() => {
    clock.mockRestore()
    processor.mockRestore()
  })
}
