/** Measures what an installation of some packages contains: them and all that they depend on, without optional peers. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Install {
  readonly packages: number
  readonly bytes: number
}

interface Manifest {
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** `folders` are projects in which the packages are installed. A package that several versions need counts once for each. */
export function measureInstall(names: readonly string[], folders: readonly string[]): Install {
  const found = new Map<string, number>()
  const add = (name: string, from: readonly string[]) => {
    const folder = from.map((start) => find(name, start)).find((path) => path !== undefined)
    if (folder === undefined || found.has(folder)) return
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    found.set(folder, sizeOf(folder, manifest))
    for (const needed of neededBy(manifest)) add(needed, [folder, ...from])
  }
  for (const name of names) add(name, folders)
  return { packages: found.size, bytes: [...found.values()].reduce((sum, size) => sum + size, 0) }
}

function neededBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): readonly string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

/** Finds a package as Node does: in the `node_modules` of the folder and of all folders above it. */
function find(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return realpathSync(path)
    if (folder === dirname(folder)) return undefined
  }
}

/** A package of the workspace has files that aren't published. Its manifest names those that are, and source maps aren't. */
function sizeOf(folder: string, { files }: Manifest): number {
  if (!existsSync(join(folder, 'tsup.config.ts'))) return bytesOf(folder, () => true)
  const isPublished = (name: string) => !name.endsWith('.map')
  return (files ?? []).reduce((sum, name) => sum + bytesOf(join(folder, name), isPublished), 0)
}

function bytesOf(path: string, isCounted: (name: string) => boolean): number {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined || !status.isDirectory()) return status?.size ?? 0
  const names = readdirSync(path).filter((name) => name !== 'node_modules' && isCounted(name))
  return names.reduce((sum, name) => sum + bytesOf(join(path, name), isCounted), 0)
}
