import { describe, expect, it, vi } from 'vitest'
import { createRegistry, toolNamed } from '../../test/tools.ts'

function registryWith(names: () => Iterable<string>) {
  const find = (name: string) => ([...names()].includes(name) ? toolNamed(name) : undefined)
  return createRegistry([toolNamed('own')], { resolvers: [{ name: 'plugins', find, names }] })
}

describe('the names of a registry with a resolver', () => {
  it.each<[string, () => Iterable<string>]>([
    ['a new array each time', () => ['send_mail', 'read_mail']],
    ['an iterator', () => new Set(['send_mail', 'read_mail']).values()],
  ])('are the same array as long as the resolver returns the same names, as %s', (_words, names) => {
    const registry = registryWith(names)
    const { names: before } = registry
    expect(before).toEqual(['own', 'send_mail', 'read_mail'])
    expect(registry.find('sendMail')?.name).toBe('send_mail')
    expect(registry.names).toBe(before)
  })

  it('are not compared again if the resolver returns the same frozen array', () => {
    const list = ['send_mail', 'read_mail']
    const iterate = vi.fn(() => ['send_mail', 'read_mail'].values())
    Object.defineProperty(list, Symbol.iterator, { value: iterate })
    const registry = registryWith(() => list)
    Object.freeze(list)
    const before = registry.names
    expect(registry.find('sendMail')).toEqual({ name: 'send_mail', tags: ['spelling'] })
    iterate.mockClear()
    expect(registry.names).toBe(before)
    expect(registry.has('read_mail')).toBe(true)
    expect(registry.find('readMail')?.name).toBe('read_mail')
    expect(iterate).not.toHaveBeenCalled()
  })

  it.each<[string, (list: string[]) => void]>([
    ['grows', (list) => list.push('drop_mail')],
    ['shrinks', (list) => list.pop()],
    ['has a replaced name', (list) => list.splice(1, 1, 'drop_mail')],
  ])("are updated if the resolver's array %s", (_words, change) => {
    const list = ['send_mail', 'read_mail']
    const registry = registryWith(() => list)
    const before = registry.names
    expect(registry.find('readMail')?.name).toBe('read_mail')
    change(list)
    expect(registry.names).toEqual(['own', ...list])
    expect(before).toEqual(['own', 'send_mail', 'read_mail'])
    expect(registry.find('readMail')?.name).toBe(list.includes('read_mail') ? 'read_mail' : undefined)
    expect(registry.find('dropMail')?.name).toBe(list.includes('drop_mail') ? 'drop_mail' : undefined)
  })

  it('do not contain inherited properties', () => {
    const registry = registryWith(() => ['send_mail'])
    for (const name of ['constructor', '__proto__', 'toString']) expect(registry.has(name)).toBe(false)
  })

  it('include the aliases of the registry', () => {
    const registry = registryWith(() => ['send_mail'])
    expect(registry.find('Mine')).toBeUndefined()
    registry.alias('mine', 'own' as never)
    expect(registry.find('Mine')).toEqual({ name: 'own', tags: ['spelling'] })
  })

  it('throw the error of a resolver', () => {
    const registry = registryWith(() => {
      throw new Error('no disk')
    })
    expect(() => registry.names).toThrow('no disk')
  })
})
