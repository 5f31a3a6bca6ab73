/** Bundles files with the bundlers that applications use: esbuild, and with X_FULL Rollup as configured by vite. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'vite'

/** vite's own copy of esbuild. */
const esbuild = createRequire(import.meta.resolve('vite'))('esbuild')

/** Entries that need Node. All others can also be bundled for browsers. */
const FOR_NODE = new Set([
  ...['@x/code', '@x/durable', '@x/durable/contract', '@x/durable/dbos', '@x/durable/restate', '@x/lm/cassette'],
  ...['@x/mcp/config', '@x/mcp/server', '@x/registry/node'],
  ...['@x/toolset/filesystem', '@x/toolset/pglite', '@x/toolset/postgres', '@x/toolset/sqlite'],
])

/**
 * Bundles each file in the `entries` directory of a package's project with everything that it imports. Throws if a bundler reports an error,
 * or if an entry needs Node and isn't listed.
 */
export async function bundleEntries(folder, name) {
  const files = readdirSync(join(folder, 'entries'))
  const entryPoints = files.map((file) => join(folder, 'entries', file))
  await esbuild.build({
    ...{ entryPoints, absWorkingDir: folder, outdir: 'bundled', write: false, bundle: true },
    ...{ platform: 'node', format: 'esm', logLevel: 'silent' },
  })
  // Rollup takes ten times as long, and CI sets X_FULL.
  if (process.env.X_FULL)
    await build({
      ...{ configFile: false, root: folder, logLevel: 'silent', ssr: { noExternal: true } },
      build: { ssr: true, write: false, minify: false, rollupOptions: { input: entryPoints } },
    })
  for (const file of files) await checkPlatform(folder, file, name)
  return files.length
}

async function checkPlatform(folder, file, name) {
  const entry = file === 'index.js' ? name : `${name}/${file.slice(0, -'.js'.length)}`
  const options = {
    entryPoints: [join(folder, 'entries', file)],
    absWorkingDir: folder,
    outdir: 'bundled',
    write: false,
    bundle: true,
  }
  const fault = await esbuild
    .build({ ...options, platform: 'browser', format: 'esm', logLevel: 'silent' })
    .catch((error) => error)
  if (!FOR_NODE.has(entry) && fault instanceof Error) throw fault
  if (FOR_NODE.has(entry) && !(fault instanceof Error)) throw new Error(`${entry} needs no Node. Remove it from FOR_NODE.`)
}
