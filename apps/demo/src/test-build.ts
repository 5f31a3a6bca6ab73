/** The program as it is shipped, for tests: built from the sources of all packages, so that nothing needs to be built before. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const app = fileURLToPath(new URL('..', import.meta.url))

/** A folder under node_modules, so that imports resolve; whoever builds it removes it. */
export function testFolder(name: string): string {
  return join(app, 'node_modules', `.test-${name}-${process.pid}`)
}

export async function buildDemo(folder: string): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: {
      main: join(app, 'src/main.ts'),
      'sqlite-worker': join(app, 'src/sql/sqlite-worker.js'),
      'killed-program': join(app, 'src/runs/killed-program.ts'),
    },
    format: ['esm'],
    splitting: true,
    target: 'node20',
    outDir: folder,
    external: ['ajv', 'node-sqlite3-wasm', 'pg', /^@dbos-inc\//, /^@restatedev\//],
    noExternal: [/^@x\//, 'typebox', 'eventsource-parser'],
    tsconfig: join(app, 'tsconfig.json'),
    esbuildOptions: (options) => {
      options.conditions = ['@x/source']
    },
  })
}
