/** Every package in a project of its own, with what its program imports and nothing else. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, isDeclared, packageOf } from '../declared.mjs'
import { folderOf } from './projects.mjs'

/** The wrong uses that the compiler must find in the installed types of a package. */
const programOf = (name) => join(import.meta.dirname, 'types', `${name.slice('@x/'.length)}.ts`)

/** Writes the program of each package and a file for each of its entries. Returns what the projects depend on. */
export function toPrograms(folder, manifests, tarballs, versionOf) {
  return new Map(
    [...manifests].map(([name, { exports }]) => {
      const project = folderOf(folder, name)
      mkdirSync(join(project, 'entries'), { recursive: true })
      copyFileSync(programOf(name), join(project, 'program.ts'))
      for (const entry of Object.keys(exports).filter((key) => key !== './package.json')) {
        const file = `${entry === '.' ? 'index' : entry.slice(2)}.js`
        writeFileSync(join(project, 'entries', file), `export * from '${name}${entry.slice(1)}'\n`)
      }
      const wanted = [name, ...importsOf(programOf(name)).map(packageOf)]
      return [name, Object.fromEntries(wanted.map((other) => [other, tarballs.get(other) ?? versionOf(other)]))]
    }),
  )
}

/** Compiles all programs. A type that became `any` makes its `@ts-expect-error` unused, which is an error. */
export function compilePrograms(folder, compile) {
  const compilerOptions = { target: 'ES2022', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/program.ts'] }))
  compile(folder)
}

/** What the packed files of a package import and its manifest doesn't declare, as problems. */
export function undeclaredImports(folder, name, manifest) {
  const installed = join(folderOf(folder, name), 'node_modules', name)
  const files = readdirSync(installed, { recursive: true }).filter((file) => /\.(d\.ts|js)$/.test(file))
  return files.flatMap((file) =>
    [...new Set(importsOf(join(installed, file)))]
      .filter((specifier) => !isDeclared(specifier, manifest))
      .map((specifier) => `${name}: ${file} imports ${specifier}, which its package.json doesn't declare.`),
  )
}

/** Finds installed optional peers: with one, nothing would be known about programs without it. */
export function findOptionalPeers(folder, manifests) {
  const installed = readdirSync(join(folder, 'node_modules/.pnpm'))
  const optional = [...manifests.values()].flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta))
  return optional
    .filter((peer) => installed.some((entry) => entry.startsWith(`${peer.replace('/', '+')}@`)))
    .map((peer) => `${peer} was installed although it is an optional peer.`)
}
