/**
 * Packs every package, installs it into an empty folder outside the workspace, and runs there what its README shows. Alone in a
 * project, a package must keep its types, import only what it declares, and bundle without its optional peers.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleEntries } from './packed/bundle.mjs'
import { readExamples } from './packed/examples.mjs'
import { compilePrograms, installIsolated, projectOf, undeclaredImports } from './packed/isolated.mjs'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'x-packed-'))
const manifests = new Map(
  readdirSync(join(root, 'packages'))
    .map((name) => [`@x/${name}`, readManifest(name)])
    .filter(([, { private: isPrivate }]) => !isPrivate),
)
const tarballs = new Map([...manifests.keys()].map((name) => [name, pack(name)]))
const problems = []
const NODE_TYPES = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node']
const AI_SDK_4 = { '@ai-sdk/provider': '4.0.38', '@types/json-schema': '7.0.15' }

try {
  await checkIsolated()
  checkAISDK4()
  for (const name of manifests.keys()) checkPackage(name)
  checkExamples('README.md', join(root, 'README.md'), [...manifests.keys()])
  checkExamples('dialects/README.md', join(root, 'packages/adapters/src/dialects/README.md'), ['@x/adapters'])
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
}

function pack(name) {
  const folder = join(root, 'packages', name.slice('@x/'.length))
  run('pnpm', ['pack', '--pack-destination', scratch], folder)
  const { version } = manifests.get(name)
  return join(scratch, `x-${name.slice('@x/'.length)}-${version}.tgz`)
}

function checkPackage(name) {
  const readme = join(root, 'packages', name.slice('@x/'.length), 'README.md')
  const folder = checkExamples(name, readme, [name])
  if (folder !== undefined) checkLoads(name, folder)
}

/** Installs what the examples import, compiles them against the installed types, and runs them. */
function checkExamples(subject, readme, wanted) {
  if (!existsSync(readme)) return void problems.push(`${subject} has no README.md.`)
  const examples = readExamples(readFileSync(readme, 'utf8'))
  if (!examples.has('main.ts')) return void problems.push(`${subject}: its README has no example in TypeScript.`)
  const imported = [...[...examples.values()].join('\n').matchAll(/from '(@x\/[\w-]+)/g)].map(([, found]) => found)
  const others = othersNamedIn(readFileSync(readme, 'utf8'))
  const usesNode = [...examples.values()].some((code) => code.includes("from 'node:"))
  const folder = install(subject, new Set([...wanted, ...imported]), usesNode ? { ...others, '@types/node': NODE_TYPES } : others)
  for (const [file, code] of examples) writeFileSync(join(folder, file), code)
  attempt(`${subject}: its examples do not compile`, () => compile(folder))
  attempt(`${subject}: its examples do not run`, () => run(process.execPath, ['main.js'], folder))
  console.log(
    `${subject}: ${examples.size === 1 ? 'example' : `${examples.size} example files`} compiled and run outside the workspace`,
  )
  return folder
}

/** The native compiler checks the installed declarations too, those of typebox included, in a tenth of the time. */
function compile(folder) {
  run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.', '--pretty', 'false'], folder)
}

async function checkIsolated() {
  const files = new Map([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]))
  const folder = installIsolated({ manifests, tarballs: files, scratch, versionOf: installedVersion, run })
  attempt('Installed alone, a package has other types than its source', () => compilePrograms(folder, compile))
  for (const [name, manifest] of manifests) {
    problems.push(...undeclaredImports(folder, name, manifest))
    try {
      console.log(`${name}: ${await bundleEntries(projectOf(folder, name))} entries bundled without optional peers`)
    } catch (error) {
      problems.push(`${name} does not bundle without its optional peers:\n${error.message}`)
    }
  }
}

/** npm refuses a peer outside of its range, optional peers included. */
function checkAISDK4() {
  attempt('@x/lm does not work beside version 4 of @ai-sdk/provider', () => {
    const folder = install('ai-sdk-4', ['@x/lm'], AI_SDK_4)
    copyFileSync(join(root, 'scripts/packed/types/ai-sdk-4.ts'), join(folder, 'main.ts'))
    compile(folder)
  })
}

/** What a README tells its reader to install beside our packages, in the versions that the workspace is tested with. */
function othersNamedIn(markdown) {
  const names = [...markdown.matchAll(/^npm i (.+)$/gm)].flatMap(([, list]) => list.split(' '))
  const others = names.filter((name) => !name.startsWith('@x/'))
  return Object.fromEntries(others.map((name) => [name, installedVersion(name)]))
}

function installedVersion(name) {
  const folders = readdirSync(join(root, 'packages')).map((folder) => join(root, 'packages', folder, 'node_modules', name))
  const folder = folders.find((candidate) => existsSync(candidate))
  if (folder === undefined) throw new Error(`No package of the workspace has ${name}, which a README tells to install.`)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
}

function install(subject, names, others) {
  const folder = join(scratch, subject.replaceAll(/\W+/g, '-'))
  mkdirSync(folder)
  const dependencies = Object.fromEntries([...withDependencies(names)].map((name) => [name, `file:${tarballs.get(name)}`]))
  const manifest = {
    name: 'empty-folder',
    private: true,
    type: 'module',
    dependencies: { ...dependencies, ...others, typebox: '1.4.3' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const compilerOptions = {
    ...{ target: 'ES2022', module: 'NodeNext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{
      lib: ['ES2023', 'DOM', 'DOM.AsyncIterable', 'ESNext.Disposable'],
      types: '@types/node' in others ? ['node'] : [],
      rewriteRelativeImportExtensions: true,
    },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder)
  return folder
}

function withDependencies(names, found = new Set()) {
  for (const name of names) {
    if (!manifests.has(name) || found.has(name)) continue
    found.add(name)
    withDependencies(Object.keys(manifests.get(name).dependencies ?? {}), found)
  }
  return found
}

/** Importing a package, every entry of it, loads neither typebox nor AJV; the registry loads nothing but tool-core's root. */
function checkLoads(name, folder) {
  for (const entry of Object.keys(manifests.get(name).exports)) {
    if (entry === './package.json') continue
    const loaded = loadsOf(join(name, entry).replaceAll('\\', '/'), folder)
    for (const heavy of ['typebox', 'ajv']) {
      if (loaded.some((url) => url.includes(`/node_modules/${heavy}/`)))
        problems.push(`Importing ${name}${entry.slice(1)} loads ${heavy}.`)
    }
    const others = new Set(loaded.flatMap((url) => /\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(url)?.[1] ?? []))
    console.log(`  import '${name}${entry.slice(1)}' loads ${loaded.length} files of ${[...others].join(', ')}`)
    const foreign = loaded.filter(
      (url) =>
        !url.includes(`/node_modules/${name}/`) && !/\/node_modules\/@x\/tool-core\/dist\/(?:index|chunk-\w+)\.js$/.test(url),
    )
    if (name === '@x/registry' && foreign.length > 0) problems.push(`Importing ${name} loads ${foreign.join(', ')}.`)
  }
}

function loadsOf(specifier, folder) {
  const log = join(folder, 'loads.txt')
  writeFileSync(log, '')
  const hook = pathToFileURL(join(root, 'scripts/packed/list-loads.mjs')).href
  run(process.execPath, ['--import', hook, '--input-type=module', '-e', `await import('${specifier}')`], folder, { X_LOADS: log })
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((url) => url.includes('/node_modules/') && url.includes(encodeURI(folder)))
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
