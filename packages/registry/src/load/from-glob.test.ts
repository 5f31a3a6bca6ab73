import { defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry } from '../create-registry.ts'
import { fromGlob } from './from-glob.ts'

const toolNamed = (name: string): Tool => defineTool({ name, description: 'Probe.', args: Type.Object({}), execute: () => name })
const loaderOf = (name: string) => vi.fn(async () => ({ default: toolNamed(name) }))
const namesOf = (...paths: string[]) =>
  fromGlob(Object.fromEntries(paths.map((path) => [path, loaderOf('x')]))).map(({ name }) => name)

describe('fromGlob', () => {
  it.each([
    ['./tools/web-search.ts', 'web_search'],
    ['./tools/listURLs.ts', 'list_urls'],
    ['./tools/parseHTMLAsText.ts', 'parse_html_as_text'],
    ['./tools/newUUIDv7.ts', 'new_uuidv7'],
    ['./tools/webSearch.ts', 'web_search'],
    ['./tools/WebSearch.tsx', 'web_search'],
    ['./tools/web_search.mjs', 'web_search'],
    ['./tools/parseHTMLPage.ts', 'parse_html_page'],
    ['./tools/sha256-sum.ts', 'sha256_sum'],
    ['./tools/search.js', 'search'],
    ['./tools/memory/index.ts', 'memory'],
    ['./tools/long-memory/index.js', 'long_memory'],
    ['../tools/index-pages.ts', 'index_pages'],
    ['/src/tools/latest.ts', 'latest'],
    ['tools/spec.ts', 'spec'],
  ])('names %s %s', (path, name) => {
    expect(namesOf(path)).toEqual([name])
  })

  it('leaves out tests, stories and declarations', () => {
    const left = ['a.test.ts', 'a.spec.tsx', 'a.test-d.ts', 'a.stories.tsx', 'a.d.ts', 'a.d.mts'].map((file) => `./tools/${file}`)
    expect(namesOf(...left, './tools/a.ts')).toEqual(['a'])
  })

  it('loads only the tool that a registry resolves', async () => {
    const modules = { './tools/web-search.ts': loaderOf('web_search'), './tools/get-weather.ts': loaderOf('get_weather') }
    const registry = createRegistry(fromGlob(modules))
    expect(registry.names).toEqual(['web_search', 'get_weather'])
    expect((await registry.resolve('web_search')).get('web_search')?.name).toBe('web_search')
    expect(modules['./tools/web-search.ts']).toHaveBeenCalledTimes(1)
    expect(modules['./tools/get-weather.ts']).not.toHaveBeenCalled()
  })

  it('accepts loaders that return the tool itself, as with import: "default"', async () => {
    const [tool] = fromGlob({ './tools/search.ts': async () => toolNamed('search') })
    expect((await tool?.load())?.name).toBe('search')
  })

  it('reports a module whose tool has another name', async () => {
    const [tool] = fromGlob({ './tools/search.ts': loaderOf('find') })
    await expect(tool?.load()).rejects.toMatchObject({ code: 'wrong_name' })
  })

  it('uses the option `name`, and leaves a file out if it returns undefined', () => {
    const modules = {
      './a/list.ts': loaderOf('x'),
      './b/list.ts': loaderOf('x'),
      './b/2.ts': loaderOf('x'),
      './b/2.test.ts': loaderOf('x'),
    }
    const naming = vi.fn((path: string) => (path.endsWith('list.ts') ? path.slice(2, -3).replace('/', '_') : undefined))
    expect(fromGlob(modules, { name: naming }).map(({ name }) => name)).toEqual(['a_list', 'b_list'])
    expect(naming.mock.calls.map(([path]) => path)).toEqual(['./a/list.ts', './b/list.ts', './b/2.ts'])
  })

  it.each([
    './tools/2048.ts',
    './tools/web search.ts',
    '../index.ts',
    './tools/é.ts',
    `./tools/${'a'.repeat(65)}.ts`,
    './tools/a.b.ts',
    './.ts',
    '',
  ])('refuses a file whose name is not a valid tool name: %s', (path) => {
    expect(() => namesOf(path)).toThrow(`fromGlob: the file ${JSON.stringify(path)} would get the tool name "`)
    expect(() => namesOf(path)).toThrow(
      'Rename the file, or choose its name with { name: (path) => ... }. Return undefined from `name` to skip the file.',
    )
  })

  it.each(['data:text/javascript,1', '../../evil.js', 'node:child_process', '', null, 7, Symbol('s'), 1n])(
    'refuses the name %o returned by the option `name`, and loads nothing',
    (given) => {
      const load = loaderOf('search')
      expect(() => fromGlob({ './tools/search.ts': load }, { name: () => given as string })).toThrow('would get the tool name')
      expect(load).not.toHaveBeenCalled()
    },
  )

  it('refuses two files with the same tool name, and names both', () => {
    expect(() => namesOf('./a/web-search.ts', './b/webSearch.ts')).toThrow(
      expect.objectContaining({
        code: 'duplicate_tool_name',
        message: expect.stringContaining(
          'the files "./a/web-search.ts" and "./b/webSearch.ts" would both get the name "web_search".',
        ),
      }),
    )
  })

  it('refuses two names that differ only in case', () => {
    const modules = { './a.ts': loaderOf('x'), './b.ts': loaderOf('x') }
    const naming = (path: string) => (path === './a.ts' ? 'Search' : 'search')
    expect(() => fromGlob(modules, { name: naming })).toThrow('names that differ only in case, "Search" and "search"')
  })

  it('names the file and the option if a module exports no tool with its name', async () => {
    const give = (given: unknown) => createRegistry(fromGlob({ './tools/search.ts': async () => given })).resolve()
    await expect(give({ helper: 1 })).rejects.toMatchObject({
      code: 'invalid_module',
      message: expect.stringMatching(
        /The file ".\/tools\/search.ts": .* exports helper.[\s\S]*fromGlob\(…, { name: \(path\) => … }\)/,
      ),
    })
    await expect(give({ default: toolNamed('find') })).rejects.toMatchObject({
      code: 'wrong_name',
      message: expect.stringContaining(`1. Default-export a tool named 'search' from "./tools/search.ts"`),
    })
  })

  it('explains how to fix an eager glob', () => {
    expect(() => fromGlob({ './tools/search.ts': { default: toolNamed('search') } } as never)).toThrow('without { eager: true }')
  })

  it.each(['data:text/javascript,1', '../../evil.js', 'node:child_process', './tools/search.ts', '__proto__', 'constructor'])(
    'runs no loader for the name %s',
    async (name) => {
      const load = loaderOf('search')
      const registry = createRegistry(fromGlob({ './tools/search.ts': load }))
      await expect(registry.resolveFor('agent', [name])).rejects.toMatchObject({ code: 'not_found' })
      expect(load).not.toHaveBeenCalled()
    },
  )
})

it.each([undefined, null, './tools/*.ts'])('refuses %o with the fix', (given) => {
  const words = expect.stringContaining("Write fromGlob(import.meta.glob('./tools/*.ts')).")
  expect(() => fromGlob(given as never)).toThrow(expect.objectContaining({ code: 'invalid_entry', message: words }))
})
