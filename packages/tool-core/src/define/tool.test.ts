import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineAction, defineTool, type Loose } from '../../test/tools.ts'
import { ToolError } from '../errors.ts'
import { assertToolName } from './name.ts'
import { isTool } from './tool.ts'

const parts = { name: 'greet', description: 'Greets.', args: Type.Object({ who: Type.String() }), execute: () => 'hi' }

function definitionError(define: () => unknown): ToolError {
  try {
    define()
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError)
    expect((error as ToolError).code).toBe('invalid_definition')
    return error as ToolError
  }
  throw new Error('the definition was accepted')
}

it.each([
  ['inputSchema', 'args'],
  ['parameters', 'args'],
  ['handler', 'execute'],
])('refuses the option %s of another library, and suggests %s', (other, name) => {
  const { [name as 'args']: _, ...rest } = { name: 'a', description: 'A.', args: Type.Object({}), execute: () => 1 }
  expect(() => defineTool({ ...rest, [other]: {} } as never)).toThrow(`defineTool: ${other} is called ${name} here. Rename it.`)
})

it('suggests a valid name for a name with other characters', () => {
  const parts = { description: 'A.', args: Type.Object({}), execute: () => 1 }
  expect(() => defineTool({ ...parts, name: 'get-weather' })).toThrow('at most 64 characters. Write e.g. "get_weather".')
})

describe('definition', () => {
  it.each(['_a', 'a1', 'a'.repeat(64), 'constructor', '__proto__'])('T3-7: accepts the name %j', (name) => {
    expect(defineTool({ ...parts, name }).name).toBe(name)
  })

  it.each(['', '1a', 'a b', 'a.b', 'a-b', 'naïve', 'a\n', 'a'.repeat(65)])('T3-7: refuses the name %j', (name) => {
    expect(definitionError(() => defineTool({ ...parts, name })).message).toContain(
      `defineTool: invalid tool name ${JSON.stringify(name)}`,
    )
  })

  it.each([undefined, null, 7, {}])('T3-6: refuses the name %j, which is not a string', (name) => {
    expect(definitionError(() => assertToolName(name, 'defineTool')).message).toContain('invalid tool name')
  })

  it.each<Loose>([
    ['description', { description: '' }],
    ['description', { description: ' \n' }],
    ['description', { description: undefined }],
    ['args', { args: undefined }],
    ['args', { args: null }],
    ['args', { args: Type.String() }],
    ['context', { context: Type.Array(Type.String()) }],
    ['execute', { execute: undefined }],
    ['effect', { effect: 'harmless' }],
    ['toModelOutput', { toModelOutput: 'short' }],
    ['hooks', { hooks: 5 }],
    ['hooks.beforeExecute', { hooks: { beforeExecute: 5 } }],
    ['hooks.beforeExcute', { hooks: { beforeExcute: () => 1 } }],
    ['the pattern', { args: Type.Object({ who: Type.String({ pattern: '(a+)\\1+$' }) }) }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['maxRetries', { maxRetries: Number.NaN }],
    ['maxRetries', { maxRetries: Infinity }],
    ['maxRetries', { maxRetries: 1.5 }],
  ])('T3-6: names the tool and the field if %s is wrong: %o', (field, wrong) => {
    const { message } = definitionError(() => defineTool({ ...parts, ...wrong } as never))
    expect(message).toMatch(new RegExp(`^defineTool\\("greet"\\): ${field}`))
  })

  it('T3-6: refuses an action without an output schema', () => {
    const { message } = definitionError(() => defineAction(parts as never))
    expect(message).toMatch(/^defineAction\("greet"\): output must be an object schema, got /)
  })

  it('returns a frozen tool', () => {
    const tool = defineTool(parts)
    expect(() => Object.assign(tool, { description: 'Another.' })).toThrow(TypeError)
    expect(tool.description).toBe('Greets.')
  })

  it('T3-24: leaves the implementation out of the JSON form', () => {
    const tool = defineAction({
      ...parts,
      output: Type.Object({}),
      execute: () => ({ secretConstant: 1 }),
      hooks: { onError: () => 'secretHook' },
    })
    const json = JSON.stringify(tool)
    expect(json).not.toMatch(/secret|=>|function/)
    expect(JSON.parse(json)).toMatchObject({ kind: 'action', name: 'greet', description: 'Greets.' })
  })

  it('T3-5: prefers a handwritten list of arguments over the derived one', () => {
    const given = [{ name: 'who', type: 'person', description: 'A person', required: true }]
    expect(defineTool({ ...parts, arguments: given }).arguments).toEqual(given)
  })

  it('derives the arguments only once', () => {
    const tool = defineTool(parts)
    expect(tool.arguments).toBe(tool.arguments)
  })
})

describe('isTool', () => {
  it('T2-3: recognises a tool by its marker', () => {
    expect(isTool(defineTool(parts))).toBe(true)
  })

  it('recognises a tool from another copy of the package', () => {
    expect(isTool({ ...parts, [Symbol.for('@x/tool-core/tool')]: true })).toBe(true)
  })

  it.each<Loose>([null, undefined, 'greet', () => 1, {}, parts, { ...parts, kind: 'tool', arguments: [] }])(
    'T2-3: does not take %o for a tool, however similar it looks',
    (value) => {
      expect(isTool(value)).toBe(false)
    },
  )
})

describe('execute', () => {
  it('does not validate the arguments', async () => {
    const tool = defineTool({ ...parts, execute: ({ who }) => who })
    expect(await tool.execute({ who: 1 } as never)).toBe(1)
  })

  it('throws what the implementation throws', () => {
    const tool = defineTool({
      ...parts,
      execute: () => {
        throw new RangeError('no')
      },
    })
    expect(() => tool.execute({ who: 'a' })).toThrow(RangeError)
  })
})
