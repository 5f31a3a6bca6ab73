/** Derives tool names from file paths. */
import { isToolName } from '@x/tool-core'
import { RegistryError } from '../errors.ts'

/** Returns the tool name for a path, or undefined to leave the file out. */
export type FileNaming = (path: string) => string | undefined

/** A file, and the name of the tool that it exports. */
export interface NamedFile {
  readonly name: string
  readonly path: string
}

/**
 * Returns the paths that are tool files, in order, each with its name. Skips tests, stories and declarations before it calls `naming`.
 * Throws for an invalid name, and for two files with names that are equal or differ only in case.
 */
export function nameFiles(paths: readonly string[], owner: string, naming: FileNaming = toolNameOf): readonly NamedFile[] {
  const known = new Map<string, NamedFile>()
  for (const path of paths) {
    const name = NOT_A_TOOL.test(path) ? undefined : naming(path)
    if (name === undefined) continue
    if (!isToolName(name)) throw illegal(owner, path, name)
    const earlier = known.get(name.toLowerCase())
    if (earlier !== undefined) throw duplicate(owner, earlier, { name, path })
    known.set(name.toLowerCase(), { name, path })
  }
  return [...known.values()]
}

/**
 * Derives a tool name from a path: `./tools/web-search.ts` → `web_search`, `./tools/memory/index.ts` → `memory`, `./tools/listURLs.ts` →
 * `list_urls`.
 */
function toolNameOf(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse()
  const stem = file.replace(/\.[^.]*$/, '')
  return (stem === 'index' ? folder : stem)
    .replaceAll('-', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(ACRONYM_END, '$&_')
    .toLowerCase()
}

/**
 * Matches the last letter of an acronym if another word follows (`parseHTMLAsText`). Doesn't match before a plural `s` (`listURLs`) or a
 * version (`getIPv4`).
 */
const ACRONYM_END = /[A-Z](?=[A-Z][a-z])(?!As$|[B-Z]s(?![a-z])|[A-Z]v\d)/g

const NOT_A_TOOL = /\.(?:test|spec|test-d|stories)\.[^./]*$|\.d\.[^./]*$/

const WAY_OUT = 'Rename the file, or choose its name with { name: (path) => ... }. Return undefined from `name` to skip the file.'

function illegal(owner: string, path: string, name: unknown): RegistryError {
  const given = typeof name === 'string' ? JSON.stringify(name) : `(${name === null ? 'null' : typeof name})`
  return new RegistryError(
    'invalid_entry',
    `${owner}: the file ${JSON.stringify(path)} would get the tool name ${given}, which is invalid. Use letters, digits and "_", ` +
      `with no digit first and at most 64 characters. ${WAY_OUT}`,
  )
}

function duplicate(owner: string, earlier: NamedFile, later: NamedFile): RegistryError {
  const names =
    earlier.name === later.name
      ? `the name "${later.name}"`
      : `names that differ only in case, "${earlier.name}" and "${later.name}"`
  const files = `the files ${JSON.stringify(earlier.path)} and ${JSON.stringify(later.path)}`
  return new RegistryError('duplicate_tool_name', `${owner}: ${files} would both get ${names}. ${WAY_OUT}`)
}
