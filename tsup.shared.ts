import { readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { joinedChunks } from './scripts/joined-chunks.mjs'
import { loadAnnotated, pureInitializers } from './scripts/pure-initializers.mjs'

/** How the JavaScript of every published package is built. */
export const SHARED: Options = {
  format: ['esm'],
  target: 'node20',
  // Without the prefix, bundlers for browsers and workers look for an npm package of that name.
  removeNodeProtocol: false,
  esbuildPlugins: [pureInitializers],
}

/**
 * Builds the JavaScript of a published package in its folder: an ES module for each source in its `exports`. `scripts/build-types.mjs` writes
 * the types.
 */
export function library({ esbuildPlugins = [], ...options }: Options = {}) {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  return defineConfig({
    ...SHARED,
    entry: Object.values<Record<string, string>>(exports).flatMap((entry) => entry['@x/source'] ?? []),
    // Types of an earlier build stay: the demo builds without them.
    clean: ['!**/*.d.ts'],
    esbuildPlugins: [...esbuildPlugins, joinedChunks(loadAnnotated), pureInitializers],
    ...options,
  })
}
