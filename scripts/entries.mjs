/** Compares what a package exports in the workspace with what it exports when it is published. */

/** What is wrong with the entries of a published package's `package.json`, and what to write. */
export function findWrongEntries({ name, exports, publishConfig }) {
  const published = publishConfig?.exports ?? {}
  const sources = Object.entries(exports).filter(([, entry]) => typeof entry !== 'string')
  const expected = Object.fromEntries(sources.map(([path, entry]) => [path, toPublished(entry['@x/source'] ?? '')]))
  return [
    ...sources.flatMap(([path, entry]) => {
      const wanted = { '@x/source': entry['@x/source'] ?? './src/….ts', ...expected[path] }
      return isSame(entry, wanted) ? [] : [`${name}: exports["${path}"] must be ${JSON.stringify(wanted)}.`]
    }),
    ...Object.keys({ ...exports, ...published }).flatMap((path) => {
      if (!(path in exports)) return [`${name}: publishConfig.exports["${path}"] is not in exports. Add it there, or remove it.`]
      const wanted = expected[path] ?? exports[path]
      return isSame(published[path], wanted)
        ? []
        : [`${name}: publishConfig.exports["${path}"] must be ${JSON.stringify(wanted)}. Users don't get it otherwise.`]
    }),
  ]
}

function toPublished(source) {
  const built = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '')
  return { types: `${built}.d.ts`, default: `${built}.js` }
}

/** Conditions are tried in order, so their order counts. */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
