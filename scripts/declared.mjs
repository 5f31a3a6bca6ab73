/** Finds the modules that a file imports, and checks that its package declares them. */
import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'

// `import` would compile this CommonJS file twice, to find out its format.
const ts = createRequire(import.meta.url)('typescript')
const OPTIONS = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }

/**
 * Returns the imported modules, including type imports, augmented modules and `import()`. Parses the file, because a plain text search
 * would mistake a quote in a regular expression for the start of a string.
 */
export function importsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), OPTIONS)
  const found = source.typeReferenceDirectives.map(({ fileName }) => fileName)
  const visit = (node) => {
    const specifier = specifierOf(node)
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node)) return node.argument.literal
  if (ts.isModuleDeclaration(node)) return node.name
  return ts.isCallExpression(node) && isImport(node.expression) ? node.arguments[0] : undefined
}

/** Returns true for `import()`, `import.meta.resolve()`, `require()` and `require.resolve()`. */
function isImport(callee) {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true
  if (!ts.isPropertyAccessExpression(callee)) return ts.isIdentifier(callee) && callee.text === 'require'
  const { expression, name } = callee
  return (
    name.text === 'resolve' && (ts.isMetaProperty(expression) || (ts.isIdentifier(expression) && expression.text === 'require'))
  )
}

/**
 * Returns true if the package may import the module: a Node builtin, the package itself, a dependency or a peer. Users don't get
 * devDependencies.
 */
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
