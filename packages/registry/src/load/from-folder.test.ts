import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRegistry } from '../create-registry.ts'
import { fromFolder } from './from-folder.ts'

/** The names of imported modules, which the modules add when they run. */
const imported: string[] = []
const SPY = Symbol.for('@x/registry/from-folder.test')

let place: string
let folder: string

beforeEach(async () => {
  imported.length = 0
  Object.assign(globalThis, { [SPY]: imported })
  place = await mkdtemp(join(tmpdir(), 'from-folder-'))
  folder = join(place, 'tools')
  await mkdir(folder)
})

afterEach(async () => {
  delete (globalThis as { [SPY]?: unknown })[SPY]
  await rm(place, { recursive: true })
})

/** Writes modules that record their import and export a tool named after their file. */
async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    const name = JSON.stringify(path.replace(/^.*\/|\.\w+$/g, '').replaceAll('-', '_'))
    const tool = `{ [Symbol.for('@x/tool-core/tool')]: true, kind: 'tool', name: ${name}, description: 'Probe.', args: {} }`
    await writeFile(file, `globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(SPY))})].push(${name})\nexport default ${tool}\n`)
  }
}

const namesIn = async (...given: Parameters<typeof fromFolder>) => (await fromFolder(...given)).map(({ name }) => name)

describe('fromFolder', () => {
  it('lists tool files by path without importing them', async () => {
    await write(
      'web-search.js',
      'getWeather.mjs',
      'zip.ts',
      'a.mts',
      'a.test.js',
      'a.d.ts',
      'notes.md',
      '.hidden.js',
      'deeper/b.js',
    )
    expect(await namesIn(folder)).toEqual(['a', 'get_weather', 'web_search', 'zip'])
    expect(imported).toEqual([])
  })

  it('imports only the file of the resolved tool', async () => {
    await write('web-search.mjs', 'zip.mjs')
    const registry = createRegistry(await fromFolder(pathToFileURL(`${folder}/`)))
    expect((await registry.resolve('web_search')).get('web_search')?.description).toBe('Probe.')
    expect(imported).toEqual(['web_search'])
  })

  it('names the file and the option if a module exports no tool', async () => {
    await writeFile(join(folder, 'helper.mjs'), 'export const x = 1\n')
    const error = await createRegistry(await fromFolder(folder))
      .resolve()
      .catch(String)
    expect(error).toContain('The file "./tools/helper.mjs": Its loader did not return a tool: the module exports x.')
    expect(error).toContain('or choose its name with fromFolder(…, { name: (path) => … })')
  })

  it('accepts a file URL with and without a trailing slash, and an absolute path', async () => {
    await write('a.js')
    for (const given of [pathToFileURL(folder), pathToFileURL(`${folder}/`), folder, `${folder}/`]) {
      expect(await namesIn(given)).toEqual(['a'])
    }
  })

  it('imports a file whose name is encoded in a URL', async () => {
    await write('a b.mjs')
    const [tool] = await fromFolder(folder, { name: () => 'a b'.replace(' ', '_') })
    await expect(tool?.load()).rejects.toMatchObject({ code: 'wrong_name' })
    expect(imported).toEqual(['a b'])
  })

  it('reads subfolders on request, except node_modules and hidden ones', async () => {
    await write('a.js', 'deeper/still/b.js', 'memory/index.js', 'node_modules/c.js', '.git/d.js')
    expect(await namesIn(folder, { recursive: true })).toEqual(['a', 'b', 'memory'])
  })

  it('includes only the requested extensions', async () => {
    await write('a.js', 'a.ts', 'b.cjs')
    expect(await namesIn(folder, { extensions: ['.ts', '.cjs'] })).toEqual(['a', 'b'])
    await expect(fromFolder(folder, { extensions: ['js'] })).rejects.toThrow(
      'extensions contains "js". Write an extension with exactly one dot, such as \'.js\'',
    )
  })

  it('calls name with paths like those of a glob', async () => {
    await write('a.js', 'deeper/b.js')
    const paths: string[] = []
    await fromFolder(folder, { recursive: true, name: (path) => void paths.push(path) as undefined })
    expect(paths).toEqual(['./tools/a.js', './tools/deeper/b.js'])
  })

  it('refuses two files with the same tool name, and names both', async () => {
    await write('a.js', 'a.ts')
    await expect(fromFolder(folder)).rejects.toMatchObject({
      code: 'duplicate_tool_name',
      message: expect.stringContaining('fromFolder: the files "./tools/a.js" and "./tools/a.ts" would both get the name "a".'),
    })
  })

  it('explains how to pass a folder if it does not exist', async () => {
    const missing = join(place, 'missing')
    await write('a.js')
    for (const given of [missing, pathToFileURL(missing), join(folder, 'a.js')]) {
      await expect(fromFolder(given)).rejects.toMatchObject({
        name: 'RegistryError',
        message: expect.stringMatching(/is not a readable folder: .*Pass a folder that exists: new URL\('\.\/tools\/'/),
      })
    }
  })

  it.each([
    'tools',
    './tools',
    'https://example.com/tools/',
    new URL('https://example.com/tools/'),
    new URL('data:text/javascript,1'),
    '',
    null,
  ])('refuses %s, which is not a file path', async (given) => {
    await expect(fromFolder(given as string)).rejects.toThrow('is neither a file URL nor an absolute path')
  })
})

describe('a file outside the folder, or added later', () => {
  const evil = () => join(place, 'evil.mjs')
  beforeEach(() => write('a.mjs', '../evil.mjs'))

  it.each([
    ['a data URL', () => `data:text/javascript,globalThis[Symbol.for('${Symbol.keyFor(SPY)}')].push('data')`],
    ['a parent path', () => '../evil.mjs'],
    ['a grandparent path', () => '../../evil.js'],
    ['a path', evil],
    ['a file URL', () => pathToFileURL(evil()).href],
    ['a module of Node', () => 'node:child_process'],
    ['a file of the folder', () => './a.mjs'],
    ['the name of the file outside', () => 'evil'],
  ])('is not imported by %s as a name', async (_, name) => {
    const registry = createRegistry(await fromFolder(folder))
    await expect(registry.resolveFor('agent', [name()])).rejects.toMatchObject({ code: 'not_found' })
    expect(imported).toEqual([])
    // Shows that the spy notices an actual import.
    await registry.resolve()
    await import(/* @vite-ignore */ pathToFileURL(evil()).href)
    expect(imported).toEqual(['a', 'evil'])
  })

  it('is unknown if it was added later', async () => {
    const registry = createRegistry(await fromFolder(folder))
    await write('later.mjs')
    await expect(registry.resolveFor('agent', ['later'])).rejects.toMatchObject({ code: 'not_found' })
    expect([...(await registry.resolve()).keys()]).toEqual(['a'])
    expect(imported).toEqual(['a'])
  })

  it('is refused and named if a link leads to it', async () => {
    await symlink(evil(), join(folder, 'linked.mjs'))
    await expect(fromFolder(folder)).rejects.toThrow(/the link ".*linked\.mjs" leads outside the folder, to ".*evil\.mjs"/)
    expect(imported).toEqual([])
  })

  it('is refused in a folder whose name starts with the same text', async () => {
    await write('../tools-evil/b.mjs')
    await symlink(join(place, 'tools-evil', 'b.mjs'), join(folder, 'b.mjs'))
    await expect(fromFolder(folder)).rejects.toThrow('leads outside the folder')
  })

  it('is not listed through a link to a folder, outside or circular', async () => {
    await symlink(place, join(folder, 'up'))
    await symlink(folder, join(folder, 'again'))
    expect(await namesIn(folder, { recursive: true })).toEqual(['a'])
  })

  it('is refused if the link is broken', async () => {
    await symlink(join(folder, 'gone.mjs'), join(folder, 'b.mjs'))
    await expect(fromFolder(folder)).rejects.toThrow('is broken')
  })

  it('is not imported through a link that is changed after the folder was read', async () => {
    await write('real/b.mjs')
    await symlink(join(folder, 'real', 'b.mjs'), join(folder, 'b.mjs'))
    const registry = createRegistry(await fromFolder(folder))
    await rm(join(folder, 'b.mjs'))
    await symlink(evil(), join(folder, 'b.mjs'))
    await registry.resolve('b')
    expect(imported).toEqual(['b'])
  })

  it('can be the folder itself if that is a link', async () => {
    await symlink(folder, join(place, 'linked-tools'))
    expect(await namesIn(join(place, 'linked-tools'))).toEqual(['a'])
  })
})
