/** Lazy tools from the files that a bundler found: `import.meta.glob('./tools/*.ts')`. */
import { RegistryError } from '../errors.ts'
import type { LazyTool } from './lazy.ts'
import { lazyFile } from './lazy-file.ts'
import { type FileNaming, nameFiles } from './tool-file-name.ts'

export interface FromGlobOptions {
  /**
   * The tool's name for a path; `undefined` leaves the file out. Unless told, the file's name in snake case:
   * `./tools/web-search.ts` → `web_search`, and an index file takes the name of its folder.
   */
  name?: FileNaming | undefined
}

/**
 * A lazy tool for each file, in their order; nothing is imported yet. Each module exports its tool as default, under that name.
 * Tests, stories and declarations (`.test.`, `.spec.`, `.test-d.`, `.stories.`, `.d.ts`) are left out. The names are known at
 * run time only. Throws `RegistryError` for an illegal name and for two files of one name.
 */
export function fromGlob(
  modules: Readonly<Record<string, () => Promise<unknown>>>,
  { name }: FromGlobOptions = {},
): readonly LazyTool[] {
  if (typeof modules !== 'object' || modules === null) throw new RegistryError('invalid_entry', NO_MODULES)
  const loaders = new Map(Object.entries(modules))
  return nameFiles([...loaders.keys()], 'fromGlob', name).map((file) => {
    const load: unknown = loaders.get(file.path)
    if (typeof load !== 'function') throw notALoader(file.path)
    return lazyFile(file, 'fromGlob', load as () => Promise<unknown>)
  })
}

const NO_MODULES = "fromGlob: give the modules, not their pattern. Write fromGlob(import.meta.glob('./tools/*.ts'))."

function notALoader(path: string): RegistryError {
  const fix = 'Call import.meta.glob without { eager: true }, or put the tools themselves into the registry.'
  return new RegistryError('invalid_entry', `fromGlob: ${JSON.stringify(path)} comes with no loader. ${fix}`)
}
