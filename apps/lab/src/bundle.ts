/** Bundles a lab program from source, so that plain Node can run it. */
import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Writes one JavaScript file. It imports the packages in `external` from `modules`, a `node_modules` directory linked beside it. */
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
