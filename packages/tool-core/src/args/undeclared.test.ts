import { type TProperties, Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { callTool } from '../call/call.ts'
import { defineTool } from '../define/tool.ts'
import { coerceArgs, coerceValue } from './coerce.ts'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())

function coerce(properties: TProperties, args: object) {
  const { args: coerced, tags, issues } = coerceArgs(Type.Object(properties), args)
  return {
    coerced,
    tags: tags.map(({ tag, path }) => `${tag} ${path}`),
    issues: issues.map(({ path, message }) => `${path} ${message}`),
  }
}

describe('undeclared arguments that were probably meant as declared ones', () => {
  it.each<[string, TProperties, object, readonly string[]]>([
    ['one with a slip in its name', { city: text }, { ctiy: 'Rome' }, ['/ctiy is not declared (did you mean "city"?)']],
    ['another name', { city: text, unit: text }, { town: 'Rome' }, ['/town is not declared (declared: city, unit)']],
    [
      'a call',
      { city: text },
      { name: 'weather', arguments: { city: 'Rome' } },
      ['/name is not declared (declared: city)', '/arguments is not declared: move its members up one level'],
    ],
    [
      'a call in JSON text',
      { city: text },
      { input: '{"city":"Rome"}' },
      ['/input is not declared: move its members up one level'],
    ],
    [
      'a schema',
      { city: text },
      { type: 'object', properties: {} },
      ['/type is not declared (declared: city)', '/properties is not declared (declared: city)'],
    ],
  ])('refuses them if no declared argument was given: %s', (_what, properties, args, issues) => {
    expect(coerce(properties, args)).toEqual({ coerced: {}, tags: [], issues })
  })

  it.each([
    ['dryRun', 'dry_run'],
    ['dry-run:', 'dry_run'],
    ['DRYRUN', 'dry_run'],
    ['dry_runs', 'dry_run'],
    [' start ', 'start'],
    ['start?', 'start'],
    ['\ufeffstart', 'start'],
    ['größe?', 'größe'],
  ])('refuses them if an argument with nearly the same name is missing: %j for %j', (key, name) => {
    const properties = { path: text, dry_run: flag, start: flag, größe: flag }
    const issues = [`/${key} is not declared (did you mean "${name}"?)`]
    expect(coerce(properties, { path: 'a', [key]: true })).toEqual({ coerced: { path: 'a' }, tags: [], issues })
    // The argument isn't missing if it is also given under its own name.
    expect(coerce(properties, { path: 'a', [name]: false, [key]: true }).issues).toEqual([])
  })

  it('refuses them if the declared argument was only filled in, or dropped as null', () => {
    const dry_run = Type.Boolean({ default: false })
    const issues = ['/dryRun is not declared (did you mean "dry_run"?)']
    expect(coerce({ path: text, dry_run }, { path: 'a', dryRun: true })).toMatchObject({ tags: ['defaulted /dry_run'], issues })
    expect(coerce({ path: text, dry_run: flag }, { path: 'a', dry_run: null, dryRun: true })).toMatchObject({ issues })
  })

  it('refuses them if an outer or inner object declares the name but lacks it', () => {
    const user = Type.Object({ name: text, email: text })
    const properties = { user: Type.Optional(user), users: Type.Optional(Type.Array(user)), notify: flag }
    const refused = (args: object) => coerce(properties, args).issues
    expect(refused({ user: { name: 'Bo', notify: true } })).toEqual(['/user/notify is not declared (did you mean "/notify"?)'])
    expect(refused({ users: [{ name: 'Al' }, { name: 'Bo', notify: true }] })).toEqual([
      '/users/1/notify is not declared (did you mean "/notify"?)',
    ])
    expect(refused({ user: '{"name":"Bo","notify":true}' })).toEqual(['/user/notify is not declared (did you mean "/notify"?)'])
    expect(refused({ notify: true, email: 'b' })).toEqual(['/email is not declared (did you mean "/user/email"?)'])
    expect(refused({ notify: true, user: { name: 'Bo' }, email: 'b' })).toHaveLength(1)
    expect(refused({ notify: false, user: { name: 'Bo', notify: true } })).toEqual([])
    expect(refused({ user: { email: 'a' }, email: 'b', notify: true })).toEqual([])
  })

  it('refuses wrapped arguments even if the wrapper has a declared name beside them', () => {
    expect(coerce({ name: text, to: text }, { name: 'send', arguments: { name: 'Bo' } }).issues).toEqual([
      '/arguments is not declared: move its members up one level',
    ])
  })

  it.each<[string, TProperties, object]>([
    ['in an object that declares nothing', {}, { explanation: 'x' }],
    ['that say nothing', { city: text }, { town: null, place: undefined }],
    ['that are like nothing declared', { city: text, unit: text }, { city: 'Rome', explanation: 'x' }],
    ['like one that was given', { city: text, unit: text }, { city: 'Rome', City: 'Rome' }],
  ])('still removes them %s', (_where, properties, args) => {
    expect(coerce(properties, args).issues).toEqual([])
    expect(coerce(properties, args).tags).toContain(`stripped /${Object.keys(args).at(-1)}`)
  })

  it('removes them from the output of code', () => {
    const schema = Type.Object({ city: text })
    expect(coerceArgs(schema, { cty: 'Rome' }, { isOutput: true })).toMatchObject({ args: {}, issues: [] })
    expect(coerceValue(schema, { cty: 'Rome' }, { isOutput: true })).toMatchObject({ value: {}, issues: [] })
  })

  it('reports them as issues of a single value, after its other issues', () => {
    const given = JSON.parse('[{"ctiy":"Rome","__proto__":{}},{"city":"Rome","note":"x"}]')
    expect(coerceValue(Type.Array(Type.Object({ city: text })), given)).toMatchObject({
      tags: [{ tag: 'stripped', path: '/1/note' }],
      issues: [{ path: '/0/__proto__' }, { path: '/0/ctiy', keyword: 'additionalProperties', expected: 'one of city' }],
    })
  })

  it('reports at most ten of them, and compares at most a thousand names', () => {
    const many = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 1]))
    expect(coerce({ city: text }, many('city', 100_000)).issues).toHaveLength(10)
    const reads = vi.fn()
    const values = new Proxy(
      { ...many('x', 5_000), city: 'Rome' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          reads(key)
          return Reflect.getOwnPropertyDescriptor(target, key)
        },
      },
    )
    expect(coerce({ city: text, unit: text }, values).issues).toEqual([])
    expect(reads.mock.calls.filter(([key]) => key === 'city').length).toBeLessThan(1_010)
  })

  it('does not run a call that has one', async () => {
    const execute = vi.fn()
    const args = Type.Object({ path: Type.String(), dry_run: flag })
    const tool = defineTool({ name: 'remove', description: 'Removes.', args, execute })
    const result = await callTool(tool, { id: 'c', name: 'remove', args: { path: 'a', dryRun: true } })
    expect(result).toMatchObject({
      error: { message: 'Invalid arguments for "remove": /dryRun is not declared (did you mean "dry_run"?).' },
    })
    expect(execute).not.toHaveBeenCalled()
  })
})
