import { defineConfig, type Options } from 'tsup'

/** How the JavaScript of every published package is built: an ES module for each entry. `scripts/build-types.mjs` writes the types. */
export function library(entry: string[], options: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm'],
    // Types of an earlier build stay: the demo builds without them.
    clean: ['!**/*.d.ts'],
    sourcemap: true,
    target: 'node20',
    ...options,
  })
}
