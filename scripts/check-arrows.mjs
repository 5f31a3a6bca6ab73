/**
 * Fails on a dependency between packages that isn't in the table, an undeclared import, circular imports, a file with more than 400 lines,
 * and a package entry that isn't published.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { importsOf, isDeclared } from './declared.mjs'
import { findWrongEntries } from './entries.mjs'

/** The allowed dependencies between packages. Apps may use every package, and tests may use what their package.json declares. */
const ARROWS = {
  'tool-core': [],
  toolset: ['tool-core', 'file-owner'],
  registry: ['tool-core'],
  adapters: ['tool-core'],
  lm: ['adapters'],
  'react-agent': ['tool-core', 'registry', 'adapters'],
  otel: ['tool-core', 'adapters', 'react-agent'],
  mcp: ['registry', 'tool-core'],
  code: ['registry', 'tool-core'],
  durable: ['react-agent', 'file-owner'],
  // A private package, bundled into the packages that use it.
  'file-owner': [],
  // A private package, only for tests.
  'test-postgres': [],
  'test-node': [],
}
/** Workspace packages that are never published. The packages that use them bundle them. */
const BUNDLED = ['@x/file-owner']
const MAX_LINES = 400
const SCOPE = '@x/'

const root = resolve(import.meta.dirname, '..')
const problems = []

for (const folder of projectFolders()) {
  const files = sourceFiles(folder)
  const imports = new Map(files.map((file) => [file, importsOf(file)]))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const [file, specifiers] of imports) {
    checkLength(file)
    if (isTest(file)) continue
    for (const specifier of specifiers) {
      checkArrow(folder, file, specifier)
      const isBundled = BUNDLED.includes(specifier) && specifier in (manifest.devDependencies ?? {})
      if (relative(root, folder).startsWith('packages') && !isBundled && !isDeclared(specifier, manifest))
        problems.push(`${relative(root, file)} imports ${specifier}, which its package.json doesn't declare.`)
    }
  }
  checkCircles(imports)
  if (!manifest.private) problems.push(...findWrongEntries(manifest))
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log('No disallowed package dependency, undeclared import, import cycle, overlong file or unpublished entry.')

function projectFolders() {
  return ['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
}

function sourceFiles(folder) {
  return ['src', 'test'].flatMap((part) => walk(join(folder, part))).filter((file) => /\.(tsx?|js)$/.test(file))
}

function walk(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}

function isTest(file) {
  return /\.(test|test-d)\.ts$/.test(file) || relative(root, file).split(/[\\/]/)[2] === 'test'
}

function checkLength(file) {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1
  if (lines > MAX_LINES) problems.push(`${relative(root, file)} has ${lines} lines. The limit is ${MAX_LINES}.`)
}

function checkArrow(folder, file, specifier) {
  const from = relative(root, folder)
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier)
    if (relative(folder, target).startsWith('..'))
      problems.push(`${relative(root, file)} imports a file of another package: ${specifier}`)
    return
  }
  if (!specifier.startsWith(SCOPE)) return
  const to = specifier.slice(SCOPE.length).split('/')[0]
  if (from.startsWith('apps')) return
  const allowed = ARROWS[from.replace(/^packages[\\/]/, '')]
  if (allowed === undefined) problems.push(`${from} has no row in scripts/check-arrows.mjs.`)
  else if (!allowed.includes(to)) problems.push(`${relative(root, file)} imports ${SCOPE}${to}, which ARROWS doesn't allow.`)
}

/** Searches relative imports depth first. Type imports count too. */
function checkCircles(imports) {
  const done = new Set()
  const visit = (file, path) => {
    if (done.has(file)) return
    const at = path.indexOf(file)
    if (at >= 0) {
      const circle = [...path.slice(at), file].map((step) => relative(root, step))
      problems.push(`Circular import: ${circle.join(' → ')}`)
      return
    }
    for (const specifier of imports.get(file) ?? []) {
      if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier), [...path, file])
    }
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
}
