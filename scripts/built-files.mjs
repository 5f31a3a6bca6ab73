/** Lists what a build of the demo leaves in the packages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the built entry of each package that the demo uses. Others are never built for it, and packages without a build are bundled into
 * the packages that use them.
 */
export function builtFiles(root) {
  const { dependencies } = readManifest(join(root, 'apps/demo'))
  const folders = Object.keys(dependencies)
    .filter((name) => name.startsWith('@x/'))
    .map((name) => join(root, 'packages', name.slice('@x/'.length)))
  return folders
    .filter((folder) => readManifest(folder).scripts?.['build:js'] !== undefined)
    .map((folder) => join(folder, 'dist/index.js'))
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
