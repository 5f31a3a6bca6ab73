/** `node run-source.mjs FILE` runs a TypeScript example against the packages' sources. */
import { resolve } from 'node:path'
import { runnerImport } from 'vite'

process.setSourceMapsEnabled(true)
await runnerImport(resolve(process.argv[2]), {
  configFile: false,
  root: resolve(import.meta.dirname, '../..'),
  logLevel: 'error',
  esbuild: { target: 'es2022' },
  environments: { inline: { resolve: { conditions: ['@x/source', 'node', 'development|production'], noExternal: [/^@x\//] } } },
})
