/**
 * Packs every package, checks the contents, installs them into empty projects outside the workspace, and runs the examples from the READMEs
 * there. A package that is alone in a project must keep its types, import only what it declares, and bundle without its optional peers.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleEntries } from './packed/bundle.mjs'
import { findWrongContents } from './packed/contents.mjs'
import { readCommands, readExamples } from './packed/examples.mjs'
import { compilePrograms, findOptionalPeers, toPrograms, undeclaredImports } from './packed/isolated.mjs'
import { runPrograms } from './packed/programs.mjs'
import { folderOf, installProjects } from './packed/projects.mjs'
import { findLargeBundles } from './packed/sizes.mjs'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'x-packed-'))
const manifests = new Map(
  readdirSync(join(root, 'packages'))
    .map((name) => [`@x/${name}`, readManifest(name)])
    .filter(([, { private: isPrivate }]) => !isPrivate),
)
const packed = packAll()
const tarballs = new Map([...packed].map(([name, file]) => [name, `file:${file}`]))
const problems = []
const TYPEBOX = '1.4.3'
const NODE_TYPES = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node']
const AI_SDK_4 = { '@ai-sdk/provider': '4.0.38', '@types/json-schema': '7.0.15' }
/** Only the baseline compilers, because optimizing takes longer than an example runs. */
const FLAGS = ['--enable-source-maps', '--no-opt', '--liftoff-only']
const COMPILER_OPTIONS = {
  ...{
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    declaration: true,
    sourceMap: true,
  },
  ...{ lib: ['ES2023', 'DOM', 'DOM.AsyncIterable', 'ESNext.Disposable'], rewriteRelativeImportExtensions: true },
}

try {
  for (const [name, file] of packed) problems.push(...(await findWrongContents(name, file)))
  await checkIsolated()
  checkReadmes()
  await checkNpm()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
}

/** Packs all packages with one process of pnpm. Returns their tarballs by name. */
function packAll() {
  const filters = [...manifests.keys()].flatMap((name) => ['--filter', name])
  run('pnpm', [...filters, 'pack', '--pack-destination', scratch], root)
  return new Map(
    [...manifests].map(([name, { version }]) => [name, join(scratch, `x-${name.slice('@x/'.length)}-${version}.tgz`)]),
  )
}

async function checkIsolated() {
  const folder = join(scratch, 'isolated')
  installProjects({ folder, projects: toPrograms(folder, manifests, tarballs, installedVersion), hoist: false, tarballs, run })
  problems.push(...findOptionalPeers(folder, manifests))
  attempt('A package that is installed alone has different types than in the workspace', () => compilePrograms(folder, compile))
  attempt('The error for a wrong schema is not an instance of the exported ToolError', () => checkErrorClass(folder))
  for (const [name, manifest] of manifests) {
    problems.push(...undeclaredImports(folder, name, manifest))
    try {
      console.log(`${name}: ${await bundleEntries(folderOf(folder, name), name)} entries bundled without optional peers`)
    } catch (error) {
      problems.push(`${name} can't be bundled without its optional peers:\n${error.message}`)
    }
  }
}

/**
 * Checks that `validate` rejects with the exported `ToolError`. The code that finds wrong schemas is built separately, so it could
 * contain its own copy of the class.
 */
function checkErrorClass(folder) {
  const program = `import { ToolError, validate } from '@x/tool-core'
    const error = await validate({ $ref: '#/missing' }, {}).catch((reason) => reason)
    if (!(error instanceof ToolError)) throw error`
  run(process.execPath, ['--input-type=module', '-e', program], folderOf(folder, '@x/tool-core'))
}

/**
 * Checks the READMEs of the packages, of the dialects and of the wire formats, and the guides in docs that are programs: installs what the
 * examples import, then compiles and runs them.
 */
function checkReadmes() {
  const folder = join(scratch, 'readmes')
  const readmes = [...manifests.keys()].map((name) => ({
    name,
    wanted: [name],
    file: `packages/${name.slice('@x/'.length)}/README.md`,
  }))
  for (const name of ['dialects', 'wire'])
    readmes.push({ name, wanted: ['@x/adapters'], file: `packages/adapters/src/${name}/README.md` })
  for (const name of ['getting-started', 'from-ai-sdk', 'models', 'providers', 'code-mode'])
    readmes.push({ name, wanted: [], file: `docs/${name}.md` })
  const read = readmes.flatMap(({ name, wanted, file }) => readReadme(name, wanted, file) ?? [])
  installProjects({
    folder,
    projects: new Map(read.map(({ name, dependencies }) => [name, dependencies])),
    hoist: true,
    tarballs,
    run,
  })
  trustTypebox(join(folder, `node_modules/.pnpm/typebox@${TYPEBOX}/node_modules/typebox`))
  for (const { name, examples } of read) writeExamples(folderOf(folder, name), examples)
  for (const usesNode of [true, false]) {
    const some = read.filter((readme) => readme.usesNode === usesNode)
    const files = some.flatMap(({ name, examples }) => [...examples.keys()].map((file) => join(folderOf(folder, name), file)))
    const types = usesNode ? [join(folderOf(folder, some[0].name), 'node_modules/@types/node')] : []
    attempt('The examples of a README do not compile', () => compileExamples(folder, files, types))
  }
  for (const readme of read) runExamples(readme, folderOf(folder, readme.name))
  for (const name of manifests.keys()) checkLoads(name, folder)
}

/** Installs with npm, as most users do. npm refuses a peer, even an optional one, if its version is out of range. */
async function checkNpm() {
  const readme = readReadme('README', [...manifests.keys()], 'README.md')
  const folder = installByNpm('README', { ...readme.dependencies, '@types/node': NODE_TYPES })
  writeExamples(folder, readme.examples)
  attempt('The examples of README.md do not compile', () =>
    compileExamples(folder, [join(folder, 'main.ts')], readme.usesNode ? ['node'] : []),
  )
  runExamples(readme, folder)
  checkExported(folder)
  problems.push(...(await findLargeBundles(folder)))
  attempt('@x/lm does not work beside version 4 of @ai-sdk/provider', () => {
    const project = installByNpm('ai-sdk-4', { ...toDependencies(['@x/lm']), ...AI_SDK_4 })
    copyFileSync(join(root, 'scripts/packed/types/ai-sdk-4.ts'), join(project, 'main.ts'))
    compileExamples(project, [join(project, 'main.ts')], [])
  })
}

/**
 * Checks exports with `declaration`, which `tsc --init` sets: both compilers must find a name for the inferred type of each export. Also checks
 * that our declarations need no other `lib` than ES2022 beside Node's types.
 */
function checkExported(project) {
  copyFileSync(join(root, 'scripts/packed/exported.ts'), join(project, 'exported.ts'))
  const compilerOptions = { ...COMPILER_OPTIONS, lib: ['ES2022'], noEmit: true, types: ['node'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['exported.ts'] }))
  for (const compiler of ['typescript', 'typescript-7'])
    attempt(`Exported values have types without a name (${compiler})`, () => compile(project, compiler))
}

function installByNpm(name, dependencies) {
  const folder = join(scratch, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder)
  trustTypebox(join(folder, 'node_modules/typebox'))
  return folder
}

/**
 * Makes the compiler trust TypeBox's own declarations. Checking them takes nine tenths of the time of a compilation. Replaces the files,
 * because pnpm links them from its store.
 */
function trustTypebox(folder) {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.d\.m?ts$/.test(file)) continue
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    writeFileSync(path, `// @ts-nocheck\n${text}`)
  }
}

/** Returns the examples of a README, and the packages that they import, in the versions that the workspace is tested with. */
function readReadme(name, wanted, file) {
  const path = join(root, file)
  if (!existsSync(path)) return void problems.push(`${file} is missing.`)
  const markdown = readFileSync(path, 'utf8')
  const examples = readExamples(markdown)
  if (examples.size === 0) return void problems.push(`${file} has no example in TypeScript.`)
  const code = [...examples.values()].join('\n')
  const ours = [...code.matchAll(/from '(@x\/[\w-]+)/g)].map(([, found]) => found)
  const installed = [...markdown.matchAll(/^npm i (.+)$/gm)].flatMap(([, list]) => list.split(' '))
  const others = installed.filter((other) => !other.startsWith('@x/')).map((other) => [other, installedVersion(other)])
  // The types of @x/durable need Node's types.
  const usesNode = /from '(?:node:|@x\/durable)/.test(code)
  const dependencies = {
    ...{ ...toDependencies([...wanted, ...ours]), ...Object.fromEntries(others), typebox: TYPEBOX },
    ...(usesNode && { '@types/node': NODE_TYPES }),
  }
  return { name, examples, commands: readCommands(markdown), dependencies, usesNode }
}

/** Returns the tarballs of these packages and of all of our packages that they depend on. */
function toDependencies(names, found = {}) {
  for (const name of names) {
    if (!manifests.has(name) || name in found) continue
    found[name] = tarballs.get(name)
    toDependencies(Object.keys(manifests.get(name).dependencies ?? {}), found)
  }
  return found
}

function installedVersion(name) {
  const folders = readdirSync(join(root, 'packages')).map((folder) => join(root, 'packages', folder, 'node_modules', name))
  const folder = folders.find((candidate) => existsSync(candidate))
  if (folder === undefined) throw new Error(`A README says to install ${name}, but no workspace package has it installed.`)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
}

/** Writes an example and exports all of its declarations, because they must compile with `declaration`. */
function writeExamples(folder, examples) {
  const DECLARATION = /^(?=(?:async function|class|const|function|interface|let|type) )/gm
  for (const [file, code] of examples) writeFileSync(join(folder, file), code.replace(DECLARATION, 'export '))
}

function compileExamples(folder, files, types) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, types }, files }))
  compile(folder)
}

/** Compiles the examples and all installed declarations. The native compiler, which is the default, takes a tenth of the time. */
function compile(folder, compiler = 'typescript-7') {
  // Several threads would check some types more than once.
  const threads = compiler === 'typescript-7' ? ['--singleThreaded'] : []
  run(process.execPath, [join(root, 'node_modules', compiler, 'bin/tsc'), '-p', '.', '--pretty', 'false', ...threads], folder)
}

function runExamples({ name, examples, commands }, folder) {
  attempt(`${name}: the examples do not run`, () => {
    const runProgram = ({ file, hooks, env }) =>
      run(process.execPath, [...FLAGS, ...hooks, file.replace(/ts$/, 'js')], folder, env)
    problems.push(...runPrograms({ examples, commands, folder, run: runProgram }).map((problem) => `${name}: ${problem}`))
  })
  console.log(
    `${name}: ${examples.size === 1 ? 'example' : `${examples.size} example files`} compiled and run outside the workspace`,
  )
}

/** Checks that importing an entry of a package loads neither typebox nor AJV. The registry must load only tool-core's root entry. */
function checkLoads(name, folder) {
  const loads = loadsOf(name, folder)
  for (const { entry, loaded } of loads)
    for (const heavy of ['typebox', 'ajv'])
      if (loaded.some((url) => url.includes(`/node_modules/${heavy}/`))) problems.push(`Importing ${entry} loads ${heavy}.`)
  const all = loads.flatMap(({ loaded }) => loaded)
  const others = new Set(all.flatMap((url) => /.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(url)?.[1] ?? []))
  console.log(`  ${loads.length} entries of ${name}, imported together, load ${all.length} files of ${[...others].join(', ')}`)
  const foreign = all.filter(
    (url) =>
      !url.includes(`/node_modules/${name}/`) && !/\/node_modules\/@x\/tool-core\/dist\/(?:index|chunk-\w+)\.js$/.test(url),
  )
  if (name === '@x/registry' && foreign.length > 0) problems.push(`Importing ${name} loads ${foreign.join(', ')}.`)
}

/** Imports all entries of a package in one process. Returns the files that each loads in addition to those of the entries before it. */
function loadsOf(name, folder) {
  const project = folderOf(folder, name)
  const log = join(project, 'loads.txt')
  const hook = pathToFileURL(join(root, 'scripts/packed/list-loads.mjs')).href
  const entries = Object.keys(manifests.get(name).exports).filter((entry) => entry !== './package.json')
  const program = `import { appendFileSync } from 'node:fs'
    for (const entry of ${JSON.stringify(entries.map((entry) => join(name, entry).replaceAll('\\', '/')))}) {
      appendFileSync(process.env.X_LOADS, '# ' + entry + '\\n')
      await import(entry)
    }`
  run(process.execPath, ['--import', hook, '--input-type=module', '-e', program], project, { X_LOADS: log })
  const parts = readFileSync(log, 'utf8').split('# ').slice(1)
  return parts.map((part) => {
    const [entry, ...urls] = part.split('\n')
    return { entry, loaded: urls.filter((url) => url.includes('/node_modules/') && url.includes(encodeURI(folder))) }
  })
}

function attempt(problem, action) {
  try {
    action()
  } catch (error) {
    problems.push(`${problem}:\n${error.stdout ?? ''}${error.stderr ?? ''}`.trimEnd())
  }
}

function run(file, args, cwd, env = {}) {
  const shell = process.platform === 'win32' && file !== process.execPath
  return execFileSync(file, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe', shell })
}
