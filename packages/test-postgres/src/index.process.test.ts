import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from './index.ts'

async function answers({ url }: TestPostgres): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe.skipIf(POSTGRES_MISSING)(`a server for tests ${POSTGRES_MISSING}`, () => {
  it('answers from its start to its end, however it is ended, and again after another start', async () => {
    const server = await startPostgres()
    const answered = [await answers(server)]
    for (const how of ['killed', 'immediate', 'fast'] as const) {
      await server.end(how)
      answered.push(await answers(server))
      await server.start()
      answered.push(await answers(server))
    }
    await server[Symbol.asyncDispose]()
    expect([...answered, await answers(server)]).toEqual([true, false, true, false, true, false, true, false])
  })
})
