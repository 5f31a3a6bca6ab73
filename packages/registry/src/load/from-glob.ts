/** Creates lazy tools from the files that a bundler finds for `import.meta.glob('./tools/*.ts')`. */
import { kindOf, RegistryError } from '../errors.ts'
import type { LazyTool } from './lazy.ts'
import { lazyFile } from './lazy-file.ts'
import { type FileNaming, nameFiles } from './tool-file-name.ts'

export interface FromGlobOptions {
  /**
   * Returns the tool name for a path, or undefined to leave the file out. Default: the file name in snake case (`./tools/web-search.ts` →
   * `web_search`). By default, an index file gets the name of its folder.
   */
  name?: FileNaming | undefined
}

/**
 * Creates a lazy tool for each file, in order. Imports none of the files. Each module must default-export a tool with the name that is
 * derived from its path. Skips tests, stories and declarations (`.test.`, `.spec.`, `.test-d.`, `.stories.`, `.d.ts`). The names have no
 * literal types, because they are known only at run time. Throws `RegistryError` for an invalid name, and for two files with the same name.
 */
export function fromGlob(
  modules: Readonly<Record<string, () => Promise<unknown>>>,
  { name }: FromGlobOptions = {},
): readonly LazyTool[] {
  if (typeof modules !== 'object' || modules === null) throw new RegistryError('invalid_entry', noModules(modules))
  const loaders = new Map(Object.entries(modules))
  return nameFiles([...loaders.keys()], 'fromGlob', name).map((file) => {
    const load: unknown = loaders.get(file.path)
    if (typeof load !== 'function') throw notALoader(file.path)
    return lazyFile(file, 'fromGlob', load as () => Promise<unknown>)
  })
}

function noModules(given: unknown): string {
  return `fromGlob: the modules must be an object of loaders, got ${kindOf(given)}. Write fromGlob(import.meta.glob('./tools/*.ts')).`
}

function notALoader(path: string): RegistryError {
  const fix = 'Call import.meta.glob without { eager: true }, or pass the imported tools to the registry.'
  return new RegistryError('invalid_entry', `fromGlob: ${JSON.stringify(path)} has no loader. ${fix}`)
}
