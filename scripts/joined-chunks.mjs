/**
 * Puts what a package's main entry shares with others into one file. esbuild makes a file for each set of entries that share a module, most
 * of them so small that opening one takes longer than compiling it.
 */
import { resolve } from 'node:path'

/** Size of the code that Node compiles in the time that it needs to open a file. */
const MOST_BYTES = 16 * 1024

/** Plugin for esbuild. `load` returns the text of a TypeScript module. */
export function joinedChunks(load) {
  return {
    name: 'joined-chunks',
    async setup({ esbuild, initialOptions, onResolve, onLoad }) {
      const { metafile } = await esbuild.build({
        ...initialOptions,
        ...{
          plugins: initialOptions.plugins.filter(({ name }) => name !== 'joined-chunks'),
          write: false,
          metafile: true,
          logLevel: 'silent',
        },
      })
      const entryPoints = Object.values(initialOptions.entryPoints).map((path) => resolve(path))
      const { shared, entries } = findShared(metafile.outputs, entryPoints)
      // esbuild drops an import of nothing if the module has no side effects.
      onResolve({ filter: /^[./].*\.ts$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), sideEffects: true }))
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!entries.has(path)) return undefined
        // Modules that the same entries import are put into the same file.
        return {
          contents: [await load(path), ...shared.map((module) => `import ${JSON.stringify(module)}`)].join('\n'),
          loader: 'ts',
        }
      })
    },
  }
}

/**
 * Returns the modules to join, and the entries that import one of them. A file is joined if no entry would load another package for it, or much
 * more code than it needs. A file that a dynamic import loads stays as it is, because bundlers would then put all joined modules into a chunk of
 * their own.
 */
export function findShared(outputs, entryPoints) {
  const entries = Object.values(outputs)
    .filter(({ entryPoint }) => entryPoint !== undefined)
    .map((output) => ({ entry: resolve(output.entryPoint), output, files: filesOf(output, outputs) }))
    .filter(({ files }) => files.length > 0)
  const isStatic = ({ entry }) => entryPoints.includes(entry)
  const loadedLater = entries.filter((each) => !isStatic(each)).flatMap(({ files }) => files)
  const joined = [...new Set(entries.filter(isStatic).flatMap(({ files }) => files))].filter((file) => {
    if (loadedLater.includes(file)) return false
    const loaded = [file, ...filesOf(file, outputs)]
    return entries.filter(isStatic).every(({ output, files }) => {
      const more = loaded.filter((each) => !files.includes(each))
      const packages = packagesOf([output, ...files])
      return (
        more.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_BYTES && packagesOf(more).every((path) => packages.includes(path))
      )
    })
  })
  return {
    shared: joined
      .flatMap(({ inputs }) => Object.keys(inputs).filter((path) => path.endsWith('.ts')))
      .map((path) => resolve(path)),
    entries: new Set(entries.filter(({ files }) => files.some((file) => joined.includes(file))).map(({ entry }) => entry)),
  }
}

function packagesOf(files) {
  return files.flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
}

/** Returns the shared files that are loaded with a file. */
function filesOf({ imports }, outputs, found = new Set()) {
  for (const { kind, path } of imports) {
    const output = outputs[path]
    if (kind !== 'import-statement' || output === undefined || found.has(output) || output.entryPoint !== undefined) continue
    found.add(output)
    filesOf(output, outputs, found)
  }
  return [...found]
}
