/** Bundles a program of the lab from source, for a process that is started with plain Node. */
import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Writes one JavaScript file. Packages in `external` are imported from `modules`, a `node_modules` folder that is linked beside the file.
 */
export async function bundle(entry: string, outfile: string, modules: string, external: readonly string[] = []): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@x/source'],
    external,
    logLevel: 'silent',
  })
  symlinkSync(modules, join(dirname(outfile), 'node_modules'), 'junction')
}
