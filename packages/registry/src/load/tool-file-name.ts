/** Which tool name a file stands for. */
import { isToolName } from '@x/tool-core'
import { RegistryError } from '../errors.ts'

/** Gives the tool's name for a path; `undefined` leaves the file out. */
export type FileNaming = (path: string) => string | undefined

/** A file that was listed when the registry was made. */
export interface NamedFile {
  readonly name: string
  readonly path: string
}

/**
 * The tool files among the paths, in their order. Tests, stories and declarations are left out before the naming is asked.
 * Throws for an illegal name, and for two files of one name or of names that differ only in case.
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

/** `./tools/web-search.ts` → `web_search`, `./tools/memory/index.ts` → `memory`, `./tools/listURLs.ts` → `list_urls`. */
export function toolNameOf(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse()
  const stem = file.replace(/\.[^.]*$/, '')
  return (stem === 'index' ? folder : stem)
    .replaceAll('-', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(ACRONYM_END, '$&_')
    .toLowerCase()
}

/** Before a word, but not before the `s` of a plural (`listURLs`, other than `parseHTMLAsText`) and the `v` of a version (`getIPv4`). */
const ACRONYM_END = /[A-Z](?=[A-Z][a-z])(?!As$|[B-Z]s(?![a-z])|[A-Z]v\d)/g

const NOT_A_TOOL = /\.(?:test|spec|test-d|stories)\.[^./]*$|\.d\.[^./]*$/

const WAY_OUT = 'Rename the file, or name it yourself: { name: (path) => ... }, where undefined leaves it out.'

function illegal(owner: string, path: string, name: unknown): RegistryError {
  const given = typeof name === 'string' ? JSON.stringify(name) : `(${name === null ? 'null' : typeof name})`
  return new RegistryError(
    'invalid_entry',
    `${owner}: the file ${JSON.stringify(path)} gives the tool name ${given}, which is illegal: letters, digits and "_", ` +
      `not starting with a digit, at most 64 characters. ${WAY_OUT}`,
  )
}

function duplicate(owner: string, earlier: NamedFile, later: NamedFile): RegistryError {
  const names =
    earlier.name === later.name
      ? `the name "${later.name}"`
      : `names that differ only in case, "${earlier.name}" and "${later.name}"`
  const files = `the files ${JSON.stringify(earlier.path)} and ${JSON.stringify(later.path)}`
  return new RegistryError('duplicate_tool_name', `${owner}: ${files} both give ${names}. ${WAY_OUT}`)
}
