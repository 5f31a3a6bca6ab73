import { callTool, type Tool, toSpec } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { method, Toolset } from '../../test/loose.ts'
import { call, namesOf } from '../../test/tools.ts'

class Report extends Toolset {
  readonly name = 'report'
  override readonly instructions = 'Ask for a draft first.'
  #isCleanedUp = false

  readonly write = method({
    description: 'Writes a report.',
    args: Type.Object({
      title: Type.String({ description: 'Its first line' }),
      note: Type.Union([Type.String(), Type.Null()]),
      pages: Type.Optional(Type.Integer()),
    }),
    category: 'office',
    tags: ['text'],
    effect: 'write',
    timeoutMs: 5,
    maxRetries: 2,
    module: 'tools/report',
    examples: [{ args: { title: 'May', note: null } }],
    strict: true,
    needsApproval: true,
    maxOutputLength: 100,
    execute: ({ title }) => ({ title, text: 'long' }),
    toModelOutput: ({ title }) => `Wrote ${title}.`,
  })

  readonly draft = method({
    description: 'Drafts a report, page by page.',
    args: Type.Object({ pages: Type.Integer() }),
    async *execute({ pages }) {
      for (let page = 1; page <= pages; page++) yield `page ${page}`
      return { pages }
    },
  })

  readonly endless = method({
    description: 'Never ends.',
    args: Type.Object({}),
    execute: () => this.#forever(),
  })

  get isCleanedUp() {
    return this.#isCleanedUp
  }

  async *#forever(): AsyncGenerator<string, string> {
    try {
      for (;;) yield 'still here'
    } finally {
      this.#isCleanedUp = true
    }
  }
}

describe('a method', () => {
  it('passes all traits on to its tool', () => {
    expect(new Report().tools()[0]).toMatchObject({
      name: 'report_write',
      category: 'office',
      tags: ['text'],
      effect: 'write',
      timeoutMs: 5,
      maxRetries: 2,
      module: 'tools/report',
      examples: [{ args: { title: 'May', note: null } }],
      strict: true,
      needsApproval: true,
      maxOutputLength: 100,
    })
  })

  it('T0-25: keeps the descriptions of its arguments, and which of them are optional', () => {
    const [tool] = new Report().tools()
    expect(tool?.arguments).toEqual([
      { name: 'title', type: 'string', description: 'Its first line', required: true },
      { name: 'note', type: 'string | null', description: '', required: true },
      { name: 'pages', type: 'integer', description: '', required: false },
    ])
  })

  it('T0-28: requires an argument that may be null', async () => {
    const [tool] = new Report().tools() as readonly Tool[]
    expect(toSpec(tool as Tool).function.parameters.required).toEqual(['title', 'note'])
    const result = await callTool(
      tool as Tool,
      { id: '1', name: 'report_write', args: { title: 'May' } },
      { approve: () => true },
    )
    expect(result).toMatchObject({ error: { code: 'invalid_arguments', message: expect.stringContaining("'note'") } })
  })

  it('can show the model something other than the output', async () => {
    const result = await call(new Report().tools(), 'report_write', { title: 'May', note: null }, { approve: () => true })
    expect(result).toMatchObject({ output: { title: 'May', text: 'long' }, modelOutput: 'Wrote May.' })
  })

  it('reports yielded values as progress and returns the output, for a model', async () => {
    const seen: unknown[] = []
    const progress = (update: unknown) => seen.push(update)
    expect(await call(new Report().tools(), 'report_draft', { pages: 2 }, { progress })).toMatchObject({ output: { pages: 2 } })
    expect(seen).toEqual(['page 1', 'page 2'])
  })

  it('reports yielded values as progress and returns the output, for your own code', async () => {
    const seen: unknown[] = []
    expect(await new Report().draft({ pages: 2 }, { progress: (update) => seen.push(update) })).toEqual({ pages: 2 })
    expect(seen).toEqual(['page 1', 'page 2'])
  })

  it('stops a generator and runs its cleanup if your own code aborts', async () => {
    const report = new Report()
    const giveUp = new AbortController()
    const running = report.endless({}, { signal: giveUp.signal, progress: () => giveUp.abort(new Error('enough')) })
    await expect(running).rejects.toThrow('enough')
    expect(report.isCleanedUp).toBe(true)
  })

  it('throws synchronously for your own code if `execute` is not async, and rejects if it is', async () => {
    const fail = () => {
      throw new Error('refused')
    }
    const options = { description: 'Fails.', args: Type.Object({}) }
    expect(() => method({ ...options, execute: fail })({})).toThrow('refused')
    await expect(method({ ...options, execute: async () => fail() })({})).rejects.toThrow('refused')
  })
})

describe('open and close', () => {
  class Connection extends Toolset {
    readonly name = 'connection'
    readonly log: string[] = []
    readonly ping = method({ description: 'Pings.', args: Type.Object({}), execute: () => this.log.join() })
    async open() {
      this.log.push('open')
    }
    async close() {
      this.log.push('close')
    }
  }

  it('are methods of the class, not tools', async () => {
    const connection = new Connection()
    await connection.open()
    expect(namesOf(connection.tools())).toEqual(['connection_ping'])
    expect(await connection.ping({})).toBe('open')
  })

  it('are missing in a toolset without them', () => {
    expect(new Report()).not.toHaveProperty('open')
    expect(new Report()).not.toHaveProperty('close')
  })

  it('are used by disposal, which does nothing if there is no close', async () => {
    const connection = new Connection()
    await connection[Symbol.asyncDispose]()
    expect(connection.log).toEqual(['close'])
    await expect(new Report()[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })

  it('come with the instructions of the toolset', () => {
    expect(new Report().instructions).toBe('Ask for a draft first.')
  })

  it('refuses an invalid definition, and a schema of another library inside its args', () => {
    const city = { '~standard': { vendor: 'zod' } }
    const make = (options: unknown) => {
      class Notes extends Toolset {
        readonly name = 'notes'
        readonly add = method(options as never)
      }
      return () => new Notes().tools()
    }
    expect(make(undefined)).toThrow('defineTool("notes_add"): description must be a non-empty string')
    expect(make({ description: 'Adds.', args: Type.Object({ city } as never), execute: () => 1 })).toThrow(
      'defineTool("notes_add"): args contains a schema from zod at /properties/city',
    )
  })

  it('fills in the defaults of a direct call', async () => {
    const place = method({
      description: 'Places.',
      args: Type.Object({ n: Type.Integer({ default: 1 }) }),
      execute: ({ n }) => n,
    })
    expect(await place({})).toBe(1)
    expect(await place({ n: 2 })).toBe(2)
  })

  it('refuses args of a library without a JSON form, and suggests what to write', () => {
    class Notes extends Toolset {
      readonly name = 'notes'
      readonly add = method({ description: 'Adds.', args: { '~standard': { vendor: 'zod' } } as never, execute: () => 1 })
    }
    expect(() => new Notes().tools()).toThrow(
      "args is a schema from zod that can't be converted to JSON Schema. Use zod 4.2 or newer.",
    )
  })
})
