import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'

it('creates the timer of `fetch` before a test can fake the clock', async () => {
  // An open connection has a timer of its own.
  const server = createServer((_, response) => void response.setHeader('connection', 'close').end('Hi'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { setTimeout: fake } = globalThis
  onTestFinished(() => {
    // Vitest removes a `setTimeout` that isn't its own, and the thread would have none.
    globalThis.setTimeout = fake
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })
  const callers: string[] = []
  // Other work in this thread may set timers too.
  globalThis.setTimeout = ((...args: Parameters<typeof fake>) => {
    callers.push(String(new Error().stack))
    return fake(...args)
  }) as typeof fake
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await response.text()).toBe('Hi')
  expect(callers.filter((stack) => stack.includes('undici'))).toEqual([])
})
