/**
 * Installs our packages from their tarballs with pnpm, in projects outside the workspace. Each project can import only what it declares.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param projects The dependencies of each project, keyed by project name.
 * @param hoist True if dependencies can import packages that they don't declare. This is pnpm's default.
 */
export function installProjects({ folder, projects, hoist, tarballs, run }) {
  for (const [name, dependencies] of projects) {
    mkdirSync(folderOf(folder, name), { recursive: true })
    writeFileSync(join(folderOf(folder, name), 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  }
  const settings = {
    ...{ packages: ['*'], nodeLinker: 'isolated', hoist, publicHoistPattern: [], sharedWorkspaceLockfile: true },
    ...{ strictPeerDependencies: false, ignoreScripts: true, minimumReleaseAge: 0, overrides: Object.fromEntries(tarballs) },
  }
  // JSON is valid YAML.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  run('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile'], folder)
}

export function folderOf(folder, name) {
  return join(folder, name.replace('@x/', ''))
}
