/** Puts each package into its own project, with only the dependencies that its program imports. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, isDeclared, packageOf } from '../declared.mjs'
import { folderOf } from './projects.mjs'

/** Path of the program with wrong uses of a package, which the compiler must reject with the installed types. */
const programOf = (name) => join(import.meta.dirname, 'types', `${name.slice('@x/'.length)}.ts`)

/** Writes each package's program, and one file for each of its entries. Returns the dependencies of each project. */
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

/** Compiles all programs. If a type has become `any`, its `@ts-expect-error` is unused, which is an error. */
export function compilePrograms(folder, compile) {
  const compilerOptions = { target: 'ES2022', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/program.ts'] }))
  compile(folder)
}

/** Returns a problem for each import in a package's files that its manifest doesn't declare. */
export function undeclaredImports(folder, name, manifest) {
  const installed = join(folderOf(folder, name), 'node_modules', name)
  const files = readdirSync(installed, { recursive: true }).filter((file) => /\.(d\.ts|js)$/.test(file))
  return files.flatMap((file) =>
    [...new Set(importsOf(join(installed, file)))]
      .filter((specifier) => !isDeclared(specifier, manifest))
      .map((specifier) => `${name}: ${file} imports ${specifier}, which its package.json doesn't declare.`),
  )
}

/** Finds optional peers that are installed. They would hide problems in programs that don't have them. */
export function findOptionalPeers(folder, manifests) {
  const installed = readdirSync(join(folder, 'node_modules/.pnpm'))
  const optional = [...manifests.values()].flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta))
  return optional
    .filter((peer) => installed.some((entry) => entry.startsWith(`${peer.replace('/', '+')}@`)))
    .map((peer) => `${peer} was installed although it is an optional peer.`)
}
