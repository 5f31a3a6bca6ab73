/** Creates lazy tools from the files in a folder, for Node. Only files that exist when the folder is read can be imported. */
import { type Dirent, promises as files } from 'node:fs'
import { basename, extname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describeThrown, RegistryError } from '../errors.ts'
import type { FromGlobOptions } from './from-glob.ts'
import type { LazyTool } from './lazy.ts'
import { lazyFile } from './lazy-file.ts'
import { nameFiles } from './tool-file-name.ts'

/** `name` is called with paths that start with the folder's name, like those of a glob: `./tools/web-search.ts`. */
export interface FromFolderOptions extends FromGlobOptions {
  /** Whether to include subfolders, except `node_modules`. Default: false. */
  recursive?: boolean | undefined
  /** Extensions of the files to include. Node must be able to import such files. Default: `['.js', '.mjs', '.ts', '.mts']`. */
  extensions?: readonly string[] | undefined
}

/**
 * Creates a lazy tool for each file in the folder, sorted by path. Imports none of the files. The folder is read only once, so files that
 * are added later aren't found. Files are named and skipped as in `fromGlob`. Also skips files and folders with a name that starts with a
 * dot. A symbolic link to a file must lead to a file inside the folder. Links to folders aren't followed. Throws `RegistryError`.
 */
export async function fromFolder(
  folder: URL | string,
  { name, recursive = false, extensions = ['.js', '.mjs', '.ts', '.mts'] }: FromFolderOptions = {},
): Promise<readonly LazyTool[]> {
  const given = toPath(folder)
  const root = await files.realpath(given).catch((cause: unknown) => {
    throw unreadable(given, cause)
  })
  const found = await list(root, { root, recursive, extensions: assertExtensions(extensions) })
  const targets = new Map(found.map(({ path, target }) => [toGlobPath(given, root, path), pathToFileURL(target).href]))
  return nameFiles([...targets.keys()].sort(), 'fromFolder', name).map((file) => {
    const target = targets.get(file.path) as string
    return lazyFile(file, 'fromFolder', () => import(/* @vite-ignore */ target))
  })
}

function toPath(folder: unknown): string {
  if (folder instanceof URL && folder.protocol === 'file:') return fileURLToPath(folder)
  if (typeof folder === 'string' && isAbsolute(folder)) return folder
  const fix = "Pass new URL('./tools/', import.meta.url)."
  throw refused(`${JSON.stringify(String(folder))} is neither a file URL nor an absolute path. ${fix}`)
}

function assertExtensions(extensions: readonly string[]): ReadonlySet<string> {
  const wrong = extensions.find((extension) => !/^\.[^./]+$/.test(extension))
  if (wrong !== undefined)
    throw refused(`extensions contains ${JSON.stringify(wrong)}. Write an extension with exactly one dot, such as '.js'.`)
  return new Set(extensions)
}

interface Listing {
  readonly root: string
  readonly recursive: boolean
  readonly extensions: ReadonlySet<string>
}

interface Found {
  readonly path: string
  /** The file itself. For a link, the file that it pointed to when the folder was read. */
  readonly target: string
}

async function list(folder: string, listing: Listing): Promise<Found[]> {
  const entries = await files.readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause)
  })
  const found: Found[] = []
  for (const entry of entries) {
    if (isPrivate(entry)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory() && listing.recursive) for (const inner of await list(path, listing)) found.push(inner)
    if (!listing.extensions.has(extname(entry.name))) continue
    const target = entry.isSymbolicLink() ? await followInside(path, listing.root) : path
    if (entry.isFile() || (entry.isSymbolicLink() && (await files.stat(target)).isFile())) found.push({ path, target })
  }
  return found
}

function isPrivate({ name }: Dirent): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

async function followInside(link: string, root: string): Promise<string> {
  const target = await files.realpath(link).catch(() => undefined)
  if (target?.startsWith(root.endsWith(sep) ? root : root + sep)) return target
  const where = target === undefined ? 'is broken' : `leads outside the folder, to ${JSON.stringify(target)}`
  throw refused(`the link ${JSON.stringify(link)} ${where}. Put the file itself in the folder, or remove the link.`)
}

/** Returns the path that a glob in the parent folder would have for this file. */
function toGlobPath(folder: string, root: string, path: string): string {
  return ['.', basename(folder), ...relative(root, path).split(sep)].join('/')
}

function unreadable(folder: string, cause: unknown): RegistryError {
  const fix = "Pass a folder that exists: new URL('./tools/', import.meta.url)."
  return refused(`${JSON.stringify(folder)} is not a readable folder: ${describeThrown(cause)}. ${fix}`)
}

function refused(words: string): RegistryError {
  return new RegistryError('invalid_entry', `fromFolder: ${words}`)
}
