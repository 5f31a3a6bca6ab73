import { defineConfig } from 'vitest/config'

// One configuration for the whole repository: tests run from source, so nothing is built first.
export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'node', 'development|production'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 20_000,
    // A process for each file costs more than the tests: they leave nothing behind, so they share two threads.
    pool: 'threads',
    isolate: false,
  },
})
