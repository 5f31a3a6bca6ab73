/** The lazy tool of a file, which its failures name. */
import { LoadError } from '../errors.ts'
import { type LazyTool, lazy, toDefinition } from './lazy.ts'
import type { NamedFile } from './tool-file-name.ts'

/** `owner`: the function that listed the file. */
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
    `Let ${file} export a tool named '${name}' as default, or name the file yourself: ` +
    `${owner}(…, { name: (path) => … }), where undefined leaves it out.`
  return new LoadError(code, `The file ${file}: ${message}`, { fix })
}
