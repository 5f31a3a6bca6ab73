import { callTool } from '@x/tool-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { behavesAsAToolset, call, DatabaseToolset, TOOLSET_SETUP } from '../test/database/toolset.ts'
import { databaseError, type SqlClient } from './database.ts'
import { openSqlite } from './sqlite.ts'

/** Returns a client that counts its calls, and answers each with one row. */
function countingClient(): SqlClient & { closed: number; statements: string[] } {
  const client = {
    dialect: 'sqlite' as const,
    closed: 0,
    statements: [] as string[],
    run: async ({ sql }: { sql: string }) => {
      client.statements.push(sql)
      return { columns: ['a'], rows: [[2n ** 60n, new Uint8Array(3), Number.POSITIVE_INFINITY]], truncated: false }
    },
    close: async () => {
      client.closed++
    },
  }
  return client
}

describe('DatabaseToolset', () => {
  let sqlite: SqlClient
  beforeAll(async () => {
    sqlite = await openSqlite({ file: ':memory:', setup: TOOLSET_SETUP })
  })
  afterAll(() => sqlite.close())
  behavesAsAToolset({ name: 'sqlite :memory:', dialect: 'sqlite', client: () => sqlite })

  it('offers only the tools that its access allows', () => {
    const names = (access?: 'select' | 'query' | 'execute') =>
      new DatabaseToolset({ client: sqlite, access }).tools().map((tool) => tool.name.slice('database_'.length))
    expect(names('select')).toEqual(['tables', 'describe', 'select'])
    expect(names()).toEqual(['tables', 'describe', 'select', 'query'])
    expect(names('execute')).toEqual(['tables', 'describe', 'select', 'query', 'execute'])
  })

  it('declares the effect of each tool', () => {
    const effects = new DatabaseToolset({ client: sqlite, name: 'shop', access: 'execute' })
      .tools()
      .map((tool) => [tool.name, tool.effect])
    expect(Object.fromEntries(effects)).toEqual({
      shop_tables: 'read',
      shop_describe: 'read',
      shop_select: 'read',
      shop_query: 'read',
      shop_execute: 'destructive',
    })
  })

  it('refuses invalid limits, and tables together with SQL, which cannot be restricted to them', () => {
    const build = (options: object) => () => new DatabaseToolset({ client: sqlite, ...options })
    expect(build({ tables: ['t'] })).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
    for (const limits of [{ maxRows: 0 }, { maxBytes: Number.NaN }, { timeoutMs: 2 ** 31 }])
      expect(build(limits)).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  it('stops a call only after the timeout of its statement, however long that is', async () => {
    // The first call loads modules, which a fake clock would stop.
    await call(new DatabaseToolset({ client: countingClient() }), 'database_query', { sql: 'SELECT 1' })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const run = async () => {
      await new Promise((resolve) => setTimeout(resolve, 90_000))
      return { columns: [], rows: [], truncated: false }
    }
    const toolset = new DatabaseToolset({ client: { ...countingClient(), run }, timeoutMs: 120_000, access: 'execute' })
    const results = Promise.all([
      call(toolset, 'database_tables', {}),
      call(toolset, 'database_query', { sql: 'SELECT 1' }),
      call(toolset, 'database_execute', { sql: 'DELETE FROM t' }),
    ])
    await vi.advanceTimersByTimeAsync(90_000)
    expect(await results).toMatchObject([{ tables: [] }, { rows: [] }, { rows: [] }])
  })

  it('opens a client once, at first use, and closes it', async () => {
    const clients: ReturnType<typeof countingClient>[] = []
    const toolset = new DatabaseToolset({
      client: () => {
        const client = countingClient()
        clients.push(client)
        return client
      },
    })
    expect(clients).toEqual([])
    await toolset.close()
    await Promise.all([toolset.open(), toolset.query({ sql: 'SELECT 1' }), toolset.query({ sql: 'SELECT 2' })])
    expect(clients).toMatchObject([{ statements: ['SELECT 1', 'SELECT 2'], closed: 0 }])
    await toolset.close()
    await toolset.close()
    await expect(toolset.query({ sql: 'SELECT 3' })).rejects.toMatchObject({ reason: 'closed' })
    await toolset.open()
    await toolset.query({ sql: 'SELECT 3' })
    expect(clients).toMatchObject([{ closed: 1 }, { statements: ['SELECT 3'], closed: 0 }])
  })

  it('settles every close only after its client is closed, and opens no second client before', async () => {
    const events: string[] = []
    let letClose = () => {}
    const mayClose = new Promise<void>((resolve) => {
      letClose = resolve
    })
    const toolset = new DatabaseToolset({
      client: () => {
        events.push('opened')
        const close = async () => {
          await mayClose
          events.push('closed')
        }
        return { ...countingClient(), close }
      },
    })
    await toolset.open()
    const first = toolset.close()
    const second = toolset.close().then(() => events.push('second'))
    const again = toolset.open()
    await new Promise((resolve) => setImmediate(resolve))
    expect(events).toEqual(['opened'])
    letClose()
    await Promise.all([first, second, again])
    expect(events).toEqual(['opened', 'closed', 'second', 'opened'])
  })

  it('notices at opening that a PostgreSQL server does not respond', async () => {
    const client = {
      ...countingClient(),
      dialect: 'postgres' as const,
      run: () => Promise.reject(databaseError('cannot_connect', 'No.')),
    }
    await expect(new DatabaseToolset({ client, access: 'select' }).open()).rejects.toMatchObject({ reason: 'cannot_connect' })
  })

  it('does not report zero changes if the client cannot count them', async () => {
    const toolset = new DatabaseToolset({ client: countingClient(), access: 'execute' })
    expect(await call(toolset, 'database_execute', { sql: 'DELETE FROM t' })).toMatchObject({ changes: null })
  })

  it('does not close a client that it did not open', async () => {
    const client = countingClient()
    const toolset = new DatabaseToolset({ client })
    await toolset.query({ sql: 'SELECT 1' })
    await toolset.close()
    expect(client).toMatchObject({ closed: 0, statements: ['SELECT 1'] })
  })

  it('opens a client again after a failure, and reports the failure to the model', async () => {
    let attempts = 0
    const toolset = new DatabaseToolset({
      client: () => {
        if (++attempts === 1)
          throw databaseError('cannot_connect', 'The database server is not available: the connection was refused.')
        return countingClient()
      },
    })
    expect(await call(toolset, 'database_query', { sql: 'SELECT 1' })).toMatchObject({ reason: 'cannot_connect' })
    expect(await call(toolset, 'database_query', { sql: 'SELECT 1' })).toMatchObject({ truncated: false })
  })

  it('returns JSON, with large numbers as text and a description in place of bytes', async () => {
    const [, , , query] = new DatabaseToolset({ client: countingClient() }).tools()
    if (query?.name !== 'database_query') throw new Error('The fourth tool is the query.')
    const result = await callTool(query, { id: '1', name: query.name, args: { sql: 'SELECT 1' } })
    expect(result).toMatchObject({ output: { rows: [['1152921504606846976', '<3 bytes>', 'Infinity']] } })
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ ok: true })
  })

  it('checks the text of SQL for clients of others too', async () => {
    const client = countingClient()
    for (const sql of ['DELETE FROM t', 'COMMIT', 'SELECT 1; SELECT 2', `SELECT '${'x'.repeat(200_000)}'`])
      await expect(new DatabaseToolset({ client }).query({ sql })).rejects.toMatchObject({ code: 'execution_failed' })
    expect(client.statements).toEqual([])
  })
})
