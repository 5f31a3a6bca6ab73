/** The modules that a file imports, and whether its package declares them. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import ts from 'typescript'

/** Type imports included. */
export function importsOf(file) {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true)
  return [...importedFiles, ...typeReferenceDirectives].map(({ fileName }) => fileName)
}

/** True for a Node builtin, the package itself, a dependency and a peer. A user doesn't get devDependencies. */
export function isDeclared(specifier, { name, dependencies, peerDependencies }) {
  if (specifier.startsWith('.') || isBuiltin(specifier)) return true
  return [name, ...Object.keys({ ...dependencies, ...peerDependencies })].includes(packageOf(specifier))
}

export function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
