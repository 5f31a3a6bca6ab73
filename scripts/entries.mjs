/** Compares the exports of a package in the workspace with its published exports. */

/** Returns one line for each wrong entry in a `package.json`, with the fix. */
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
        : [`${name}: publishConfig.exports["${path}"] must be ${JSON.stringify(wanted)}. Otherwise, it isn't published.`]
    }),
  ]
}

function toPublished(source) {
  const built = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '')
  return { types: `${built}.d.ts`, default: `${built}.js` }
}

/** Compares two entries. The order of conditions counts, because they are tried in that order. */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
