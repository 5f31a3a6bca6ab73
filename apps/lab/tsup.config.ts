import { defineConfig } from 'tsup'

// These programs are run, never imported. Packages stay external, so that the measured code is the code that users install.
export default defineConfig({
  entry: {
    conformance: 'src/conformance/main.ts',
    bench: 'src/bench/main.ts',
    'bench-subject': 'src/bench/measure/subject-process.ts',
    'bench-fresh': 'src/bench/measure/fresh-process.ts',
    'bench-keeper': 'src/bench/durable/server-keeper.ts',
    fuzz: 'src/fuzz/main.ts',
    prompts: 'src/prompts/main.ts',
    load: 'src/load/main.ts',
    'load-process': 'src/load/process.ts',
    'fuzz-blocks': 'src/fuzz/schemas/blocks-process.ts',
    // A part of `@x/test-postgres`. That package is bundled into the programs and starts this file from their directory.
    keeper: '../../packages/test-postgres/src/keeper.js',
  },
  noExternal: ['@x/test-postgres'],
  format: ['esm'],
  clean: true,
  sourcemap: true,
  target: 'node20',
})
