/** Runs before each test file. Unit tests share threads, so each file must restore the state of its thread. */
import fc from 'fast-check'
import { afterAll } from 'vitest'

// Property tests generate the same cases in every run, unless X_SEED sets another seed. fast-check's own default is 100 cases.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.X_SEED), numRuns: process.env.X_FULL ? 100 : 40 })

// All connections of `fetch` share one timer, which is created with the first connection. Without this line, a test with a fake clock
// might create the timer. No server listens on port 2. On port 1, `fetch` fails without opening a connection.
await fetch('http://127.0.0.1:2').catch(() => {})

// A client that stays connected keeps running during later tests. With a fake clock, it retries without a pause.
const before = openConnections().length
const { setTimeout: realSetTimeout } = globalThis
afterAll(async () => {
  if (globalThis.setTimeout !== realSetTimeout) throw new Error('setTimeout was not restored after the tests of this file.')
  for (let waits = 0; openConnections().length > before; waits++) {
    if (waits === 500) throw new Error(`Not closed after the tests of this file: ${openConnections()}.`)
    await new Promise((resolve) => realSetTimeout(resolve, 10))
  }
})

function openConnections(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => resource.startsWith('TCP'))
}
