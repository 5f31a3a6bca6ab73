import { defineConfig } from 'tsup'

// Programs that are run, never imported. The packages stay outside: what is measured is what users get.
export default defineConfig({
  entry: {
    conformance: 'src/conformance/main.ts',
    bench: 'src/bench/main.ts',
    'bench-subject': 'src/bench/subject-process.ts',
    'bench-fresh': 'src/bench/fresh-process.ts',
    'bench-keeper': 'src/bench/server-keeper.ts',
    fuzz: 'src/fuzz/main.ts',
  },
  format: ['esm'],
  clean: true,
  sourcemap: true,
  target: 'node20',
})
