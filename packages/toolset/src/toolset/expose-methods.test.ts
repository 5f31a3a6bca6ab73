import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { exposeMethods } from '../../test/loose.ts'
import { call, definitionError, namesOf } from '../../test/tools.ts'

class Store {
  readonly #users = new Map([['1', 'Ann']])
  readonly label = 'users'
  countUsers() {
    return this.#users.size
  }
  drop() {
    this.#users.clear()
  }
}

class Users extends Store {
  async findUser({ id }: { id: string }) {
    return id === '1' ? { name: 'Ann', count: this.countUsers() } : null
  }
  protected secret() {
    return 'never a tool'
  }
}

const find = { description: 'Finds a user.', effect: 'read' as const, args: Type.Object({ id: Type.String() }) }
const count = { description: 'Counts the users.', args: Type.Object({}) }

describe('exposeMethods', () => {
  it('names the tools after the methods, in the order of the table', () => {
    const source = exposeMethods(new Users(), 'db', { findUser: find, countUsers: count })
    expect(source.name).toBe('db')
    expect(namesOf(source.tools())).toEqual(['db_find_user', 'db_count_users'])
    expect(source.tools()[0]).toMatchObject({ description: 'Finds a user.', effect: 'read' })
    expect(source.tools()).toBe(source.tools())
  })

  it('calls the method of the instance, with its `this` and validated args', async () => {
    const tools = exposeMethods(new Users(), 'db', { findUser: find }).tools()
    expect(await call(tools, 'db_find_user', { id: '1' })).toMatchObject({ output: { name: 'Ann', count: 1 } })
    expect(await call(tools, 'db_find_user', {})).toMatchObject({ error: { code: 'invalid_arguments' } })
  })

  it('exposes an inherited method', async () => {
    const tools = exposeMethods(new Users(), 'db', { countUsers: count }).tools()
    expect(await call(tools, 'db_count_users')).toMatchObject({ output: 1 })
  })

  it('exposes only the methods in the table', () => {
    const tools = exposeMethods(new Users(), 'db', { findUser: find }).tools()
    expect(JSON.stringify(namesOf(tools))).not.toMatch(/drop|secret|label|constructor/)
  })

  it('calls the new version of a method that was replaced', async () => {
    const users = new Users()
    const tools = exposeMethods(users, 'db', { findUser: find }).tools()
    users.findUser = async () => null
    expect(await call(tools, 'db_find_user', { id: '1' })).toMatchObject({ ok: true, output: null })
  })

  it('accepts a small object that passes several arguments on', async () => {
    const power = (base: number, exponent: number) => base ** exponent
    const table = { power: { description: 'Raises.', args: Type.Object({ base: Type.Number(), exponent: Type.Number() }) } }
    const adapter = { power: ({ base, exponent }: { base: number; exponent: number }) => power(base, exponent) }
    expect(await call(exposeMethods(adapter, 'math', table).tools(), 'math_power', { base: 2, exponent: 3 })).toMatchObject({
      output: 8,
    })
  })
})

describe('exposeMethods refuses', () => {
  it('a misspelt method, and suggests the nearest one', () => {
    expect(definitionError(() => exposeMethods(new Users(), 'db', { findUsr: find } as never))).toBe(
      'exposeMethods(…, "db"): "findUsr" is not a method of the Users that was passed. Did you mean "findUser"?',
    )
  })

  it.each(['label', 'missing'])('%s, which is not a function', (key) => {
    expect(definitionError(() => exposeMethods(new Users(), 'db', { [key]: find } as never))).toContain(
      `"${key}" is not a method of the Users`,
    )
  })

  it('two methods that would have the same tool name', () => {
    const twice = { sayHi: () => 'a', say_hi: () => 'b' }
    expect(definitionError(() => exposeMethods(twice, 'x', { sayHi: count, say_hi: count }))).toBe(
      'exposeMethods(…, "x"): the methods "sayHi" and "say_hi" both make a tool named "x_say_hi". Remove one of them.',
    )
  })

  it('a name that would give an illegal tool name', () => {
    expect(definitionError(() => exposeMethods(new Users(), 'my-db', { findUser: find }))).toContain(
      'invalid tool name "my-db_find_user"',
    )
  })

  it('an empty name', () => {
    expect(definitionError(() => exposeMethods({ find: () => 1 }, '', {}))).toContain('the name is empty')
  })
})

describe('the other members of the source', () => {
  it('come from the options, and a method receives the context of its call', async () => {
    const seen: unknown[] = []
    const store = { find: (_args: object, context: { callId: string }) => void seen.push(context.callId) }
    const table = { find: { description: 'Finds.', args: Type.Object({}), toModelOutput: () => 'shown' } }
    const close = async () => void seen.push('closed')
    const source = exposeMethods(store, 'db', table, { instructions: 'Ask first.', close })
    expect(source.instructions).toBe('Ask first.')
    expect(await call(source.tools(), 'db_find')).toMatchObject({ modelOutput: 'shown' })
    await source.close?.()
    expect(seen).toEqual([expect.any(String), 'closed'])
  })
})

describe('an invalid instance, name or table', () => {
  const table = { find: { description: 'Finds.', args: Type.Object({}) } }
  it.each([
    ['the instance must be an object, got undefined.', undefined, 'db', table],
    ['the instance must be an object, got null.', null, 'db', table],
    ['the instance must be an object, got a string.', 'store', 'db', table],
    ['the name is empty', new Store(), undefined, table],
    ['the table must be an object, got undefined.', new Store(), 'db', undefined],
    ['the table must be an object, got a list.', new Store(), 'db', ['find']],
    ['"find" is not a method', Store, 'db', table],
  ])('is refused: %s', (words, instance, name, methods) => {
    expect(definitionError(() => exposeMethods(instance as never, name as never, methods as never))).toContain(words)
  })
})
