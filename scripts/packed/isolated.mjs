/** Every package in a project of its own, installed by pnpm without hoisting: it finds only what it declares. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, isDeclared, packageOf } from '../declared.mjs'

/** The wrong uses that the compiler must find in the installed types of a package. */
const programOf = (name) => join(import.meta.dirname, 'types', `${name.slice('@x/'.length)}.ts`)

/** A project depends on its package and on what the package's program imports. Returns the folder of all projects. */
export function installIsolated({ manifests, tarballs, scratch, versionOf, run }) {
  const folder = join(scratch, 'isolated')
  for (const [name, { exports }] of manifests) {
    const project = projectOf(folder, name)
    mkdirSync(join(project, 'entries'), { recursive: true })
    const dependencies = Object.fromEntries(
      [name, ...importsOf(programOf(name)).map(packageOf)].map((wanted) => [wanted, tarballs.get(wanted) ?? versionOf(wanted)]),
    )
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
    copyFileSync(programOf(name), join(project, 'program.ts'))
    for (const entry of Object.keys(exports).filter((key) => key !== './package.json')) {
      const file = `${entry === '.' ? 'index' : entry.slice(2)}.js`
      writeFileSync(join(project, 'entries', file), `export * from '${name}${entry.slice(1)}'\n`)
    }
  }
  const settings = {
    ...{ packages: ['*'], nodeLinker: 'isolated', hoist: false, publicHoistPattern: [], sharedWorkspaceLockfile: true },
    ...{ strictPeerDependencies: false, ignoreScripts: true, minimumReleaseAge: 0, overrides: Object.fromEntries(tarballs) },
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  run('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile'], folder)
  assertNoOptionalPeer(folder, manifests)
  return folder
}

export function projectOf(folder, name) {
  return join(folder, name.slice('@x/'.length))
}

/** Compiles all programs. A type that became `any` makes its `@ts-expect-error` unused, which is an error. */
export function compilePrograms(folder, compile) {
  const compilerOptions = { target: 'ES2022', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/program.ts'] }))
  compile(folder)
}

/** What the packed files of a package import and its manifest doesn't declare, as problems. */
export function undeclaredImports(folder, name, manifest) {
  const installed = join(projectOf(folder, name), 'node_modules', name)
  const files = readdirSync(installed, { recursive: true }).filter((file) => /\.(d\.ts|js)$/.test(file))
  return files.flatMap((file) =>
    [...new Set(importsOf(join(installed, file)))]
      .filter((specifier) => !isDeclared(specifier, manifest))
      .map((specifier) => `${name}: ${file} imports ${specifier}, which its package.json doesn't declare.`),
  )
}

/** Otherwise nothing would be found out about programs that don't have them. */
function assertNoOptionalPeer(folder, manifests) {
  const installed = readdirSync(join(folder, 'node_modules/.pnpm'))
  const optional = [...manifests.values()].flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta))
  const found = optional.filter((peer) => installed.some((entry) => entry.startsWith(`${peer.replace('/', '+')}@`)))
  if (found.length > 0) throw new Error(`Optional peers were installed: ${found.join(', ')}`)
}
