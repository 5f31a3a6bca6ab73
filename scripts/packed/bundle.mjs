/** Bundles files with the bundlers that applications use: esbuild, and Rollup as configured by vite. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'vite'

/** vite's own copy of esbuild. */
const esbuild = createRequire(import.meta.resolve('vite'))('esbuild')

/** Bundles each file in the `entries` directory with everything that it imports. Throws if a bundler reports an error. */
export async function bundleEntries(folder) {
  const files = readdirSync(join(folder, 'entries'))
  const entryPoints = files.map((file) => join(folder, 'entries', file))
  await esbuild.build({
    ...{ entryPoints, absWorkingDir: folder, outdir: 'bundled', write: false, bundle: true },
    ...{ platform: 'node', format: 'esm', logLevel: 'silent' },
  })
  await build({
    ...{ configFile: false, root: folder, logLevel: 'silent', ssr: { noExternal: true } },
    build: { ssr: true, write: false, minify: false, rollupOptions: { input: entryPoints } },
  })
  return files.length
}
