/** Limits what a program's bundle contains. A new import that brings a whole package shows here. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** vite's own copy of esbuild. */
const esbuild = createRequire(import.meta.resolve('vite'))('esbuild')

const AGENT = `import { Type } from 'typebox'
import { openaiChat } from '@x/adapters/wire'
import { createLM } from '@x/lm'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
export { createLM, createReactAgent, defineTool, openaiChat, Type }`

/**
 * Upper limits, in KiB. `minified` and `gzip` are what a page loads at first; `all` is gzipped and includes the chunks that are loaded when
 * they are used, such as AJV. Lower a limit when its program becomes smaller.
 */
export const SIZES = [
  { title: 'agent with one wire and Type', program: AGENT, minified: 361, gzip: 122, all: 333 },
  { title: 'one tool', program: "export { defineTool } from '@x/tool-core'", minified: 51, gzip: 19, all: 171 },
  { title: 'one wire', program: "export { openaiChat } from '@x/adapters/wire'", minified: 98, gzip: 35, all: 188 },
  { title: 'one dialect', program: "export { hermes } from '@x/adapters/dialects'", minified: 117, gzip: 43, all: 195 },
  { title: 'all dialects', program: "export * from '@x/adapters/dialects'", minified: 251, gzip: 87, all: 239 },
]

/** Returns a problem for each program whose bundle is larger than its limits. `folder` is a project in which all packages are installed. */
export async function findLargeBundles(folder, sizes = SIZES, log = console.log) {
  const problems = []
  for (const { title, program, ...limits } of sizes) {
    const measured = await measureBundle(folder, program)
    log(
      `${title}: ${Object.entries(measured)
        .map(([kind, size]) => `${kind} ${size.toFixed(1)}`)
        .join(', ')} KiB`,
    )
    for (const [kind, limit] of Object.entries(limits)) {
      if (!(measured[kind] <= limit))
        problems.push(`The bundle of ${title} is too large: ${kind} ${measured[kind].toFixed(1)} KiB, limit ${limit} KiB.`)
    }
  }
  return problems
}

async function measureBundle(folder, contents) {
  const { metafile, outputFiles } = await esbuild.build({
    ...{ stdin: { contents, resolveDir: folder }, absWorkingDir: folder, outdir: 'bundled', write: false, metafile: true },
    ...{ bundle: true, splitting: true, format: 'esm', minify: true, platform: 'browser', logLevel: 'silent' },
  })
  const files = new Map(
    outputFiles.map(({ path, contents }) => [path, { raw: contents.length, gzip: gzipSync(contents).length }]),
  )
  const outputs = Object.entries(metafile.outputs)
  const first = new Set()
  const visit = (path) => {
    if (first.has(path)) return
    first.add(path)
    for (const { kind, path: imported } of metafile.outputs[path]?.imports ?? []) if (kind === 'import-statement') visit(imported)
  }
  for (const [path, { entryPoint }] of outputs) if (entryPoint === '<stdin>') visit(path)
  const sum = (paths, key) => paths.reduce((total, path) => total + files.get(join(folder, path))[key], 0) / 1024
  return {
    minified: sum([...first], 'raw'),
    gzip: sum([...first], 'gzip'),
    all: sum(
      outputs.map(([path]) => path),
      'gzip',
    ),
  }
}
