import { defineConfig, type Options } from 'tsup'

/** How every published package is built: ES modules and types, a file for each entry. */
export function library(entry: string[], options: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm'],
    dts: { compilerOptions: { ignoreDeprecations: '6.0', customConditions: [] } },
    // Types of an earlier build stay: the demo builds without them.
    clean: ['!**/*.d.ts'],
    sourcemap: true,
    target: 'node20',
    ...options,
  })
}
