import { callTool, isTool, type Tool, ToolError } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { method, Toolset } from '../../test/loose.ts'

class Counter extends Toolset {
  readonly name: string = 'counter'
  readonly label = 'not a tool'
  #count = 0

  readonly increment = method({
    description: 'Adds to the count.',
    effect: 'write',
    args: Type.Object({ by: Type.Integer({ default: 1 }) }),
    execute: ({ by }) => {
      this.#count += by
      return this.#count
    },
  })
  readonly readCount = method({
    description: 'Reads the count.',
    effect: 'read',
    timeoutMs: 100,
    args: Type.Object({}),
    execute: () => this.#count,
  })
  readonly reset = method({
    name: 'start_again',
    description: 'Sets the count to nothing.',
    args: Type.Object({}),
    context: Type.Object({ user: Type.String() }),
    execute: (_args, { values }) => {
      this.#count = 0
      return values.user
    },
  })

  ordinary(): string {
    return 'never a tool'
  }
  readonly arrow = () => 'never a tool'
}

function toolOf(toolset: Toolset, name: string): Tool {
  const tool = toolset.tools().find((candidate) => candidate.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

function call(tool: Tool, args: Record<string, unknown> = {}) {
  return callTool(tool, { id: '1', name: tool.name, args }, { values: { user: 'ann' } })
}

describe('tools()', () => {
  it('T0-1: keeps the name of the toolset', () => {
    expect(new Counter().name).toBe('counter')
  })

  it('T0-3: returns one tool per method, in the order of declaration', () => {
    const tools = new Counter().tools()
    expect(tools.map(({ name }) => name)).toEqual(['counter_increment', 'counter_read_count', 'start_again'])
    expect(tools.every(isTool)).toBe(true)
  })

  it('T0-2: gives each tool the description and the traits of its method', () => {
    expect(toolOf(new Counter(), 'counter_read_count')).toMatchObject({
      kind: 'tool',
      description: 'Reads the count.',
      effect: 'read',
      timeoutMs: 100,
    })
  })

  it('T0-4: uses an explicit name as the whole tool name', () => {
    expect(toolOf(new Counter(), 'start_again').description).toBe('Sets the count to nothing.')
  })

  it('exposes neither ordinary methods nor functions in fields', () => {
    expect(JSON.stringify(new Counter().tools())).not.toMatch(/ordinary|arrow|label/)
  })

  it('T0-27: returns the same tools at every call', () => {
    const counter = new Counter()
    expect(counter.tools()).toBe(counter.tools())
  })

  it('includes methods that a subclass adds or overrides', async () => {
    class More extends Counter {
      override readonly increment = method({
        description: 'Adds nothing.',
        args: Type.Object({ by: Type.Integer({ default: 1 }) }),
        execute: () => -1,
      })
      readonly double = method({ description: 'Doubles.', args: Type.Object({}), execute: () => 2 })
    }
    const more = new More()
    expect(more.tools().map(({ name }) => name)).toEqual([
      'counter_increment',
      'counter_read_count',
      'start_again',
      'counter_double',
    ])
    expect(await call(toolOf(more, 'counter_increment'))).toMatchObject({ output: -1 })
  })

  it('T0-6: uses the name of the instance as the prefix', () => {
    class Named extends Counter {
      override readonly name: string
      constructor(name: string) {
        super()
        this.name = name
      }
    }
    expect(new Named('mine').tools()[0]?.name).toBe('mine_increment')
  })
})

describe('state', () => {
  it('T0-27: is shared by the tools of one instance and by its methods', async () => {
    const counter = new Counter()
    await call(toolOf(counter, 'counter_increment'), { by: 2 })
    await counter.increment({ by: 3 })
    expect(await call(toolOf(counter, 'counter_read_count'))).toMatchObject({ ok: true, output: 5 })
    expect(await counter.readCount({})).toBe(5)
  })

  it('T0-27: is not shared by two instances', async () => {
    const [one, other] = [new Counter(), new Counter()]
    await one.increment({ by: 1 })
    expect(await other.readCount({})).toBe(0)
  })
})

describe('a call', () => {
  it('T0-17: is validated if it comes from a model', async () => {
    expect(await call(toolOf(new Counter(), 'counter_increment'), { by: 'many' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', message: expect.stringContaining('/by must be integer') },
    })
  })

  it('T0-18: gets its defaults if it comes from a model', async () => {
    expect(await call(toolOf(new Counter(), 'counter_increment'))).toMatchObject({ ok: true, output: 1 })
  })

  it('receives the run-scoped values if it comes from a model', async () => {
    expect(await call(toolOf(new Counter(), 'start_again'))).toMatchObject({ ok: true, output: 'ann' })
  })

  it('can pass a context if it comes from your own code, but needs none', async () => {
    const counter = new Counter()
    expect(await counter.reset({}, { values: { user: 'bob' } })).toBe('bob')
    expect(await counter.reset({})).toBeUndefined()
  })
})

describe('definition errors', () => {
  const greet = method({ description: 'Greets.', args: Type.Object({}), execute: () => 'hi' })

  function definitionError(toolset: Toolset): string {
    try {
      toolset.tools()
    } catch (error) {
      expect(error).toBeInstanceOf(ToolError)
      expect(error).toMatchObject({ code: 'invalid_definition' })
      return (error as ToolError).message
    }
    throw new Error('the toolset was accepted')
  }

  it('name both methods that have the same tool name', () => {
    class Twice extends Toolset {
      readonly name = 'twice'
      readonly sayHi = greet
      readonly say_hi = greet
    }
    expect(definitionError(new Twice())).toBe(
      'Toolset "twice": the methods "sayHi" and "say_hi" both make a tool named "twice_say_hi". Rename one of the tools: method({ name: \'…\' }).',
    )
  })

  it.each(['open', 'close', 'tools', 'instructions'])('are thrown for a method with the reserved name %s', (key) => {
    class Files extends Toolset {
      readonly name = 'files'
    }
    const files = Object.defineProperty(new Files(), key, { value: greet, enumerable: true })
    const collect = () => Toolset.prototype.tools.call(files)
    expect(collect).toThrow(`Toolset "files": "${key}" is reserved.`)
  })

  it.each(['', undefined, null])('T0-6: are thrown for a toolset whose name is %j', (name) => {
    class Nameless extends Toolset {
      readonly name = name as string
      readonly greet = greet
    }
    expect(definitionError(new Nameless())).toMatch(/^Nameless: name is missing/)
  })

  it('T3-7: are thrown for a method whose name gives an illegal tool name', () => {
    class Dashed extends Toolset {
      readonly name = 'my-tools'
      readonly greet = greet
    }
    expect(definitionError(new Dashed())).toContain('invalid tool name "my-tools_greet"')
  })

  it('are thrown again at the next call', () => {
    class Dashed extends Toolset {
      readonly name = 'my-tools'
      readonly greet = greet
    }
    const dashed = new Dashed()
    expect(definitionError(dashed)).toBe(definitionError(dashed))
  })
})
