/** Creates lazy tools for files. Their errors name the file. */
import { LoadError } from '../errors.ts'
import { type LazyTool, lazy, toDefinition } from './lazy.ts'
import type { NamedFile } from './tool-file-name.ts'

/** Creates a lazy tool for a file. `owner` is the function that listed the file; error messages name it. */
export function lazyFile({ name, path }: NamedFile, owner: string, load: () => Promise<unknown>): LazyTool {
  return lazy(name, async () => {
    const loaded = await load()
    try {
      return toDefinition(name, loaded)
    } catch (error) {
      throw error instanceof LoadError ? ofFile(error, { name, path }, owner) : error
    }
  })
}

function ofFile({ code, message }: LoadError, { name, path }: NamedFile, owner: string): LoadError {
  const file = JSON.stringify(path)
  const fix =
    `Default-export a tool named '${name}' from ${file}, or choose its name with ${owner}(…, { name: (path) => … }). ` +
    'Return undefined from `name` to skip the file.'
  return new LoadError(code, `The file ${file}: ${message}`, { fix })
}
