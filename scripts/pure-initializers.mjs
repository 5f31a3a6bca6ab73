/**
 * Lets bundlers drop the unused constants of a module. Our packages have `"sideEffects": false`, but each entry is built into a single file,
 * and a bundler must assume that a call in an initializer has side effects. The build therefore wraps such an initializer in a function whose
 * call is annotated as pure.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// `import` would compile this CommonJS file twice, to find out its format.
const ts = createRequire(import.meta.url)('typescript')
const { SyntaxKind } = ts

/** Plugin for esbuild, for the TypeScript sources of a package. */
export const pureInitializers = {
  name: 'pure-initializers',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({ contents: await loadAnnotated(path), loader: 'ts' }))
  },
}

export async function loadAnnotated(path) {
  return annotateInitializers(await readFile(path, 'utf8'), (file) => readFileSync(join(dirname(path), file), 'utf8'))
}

/**
 * Returns the module with each initializer of a top-level constant annotated, unless bundlers already know that it has no side effects. No line
 * moves. Throws for a top-level statement that does something, because bundlers would drop it. `read` returns the text of an imported module:
 * the namespace of a list of exports becomes a plain object, because esbuild would fill it with a call that no bundler drops.
 */
export function annotateInitializers(text, read = () => '') {
  const source = parse(text)
  const changes = source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) ? changesOfImport(statement, read) : changesOf(statement, source),
  )
  return changes.reduceRight(
    (result, { at, insert, removed = 0 }) => result.slice(0, at) + insert + result.slice(at + removed),
    text,
  )
}

function parse(text) {
  return ts.createSourceFile('module.ts', text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  })
}

function changesOfImport({ importClause, moduleSpecifier }, read) {
  const bindings = importClause?.namedBindings
  if (bindings === undefined || !ts.isNamespaceImport(bindings) || !moduleSpecifier.text.startsWith('.')) return []
  const { statements } = parse(read(moduleSpecifier.text))
  if (statements.length === 0 || !statements.every(isListOfExports)) return []
  // The members of a namespace are sorted by name.
  const names = statements.flatMap(({ exportClause }) => exportClause.elements.map(({ name }) => name.text)).sort()
  const renamed = names.map((name) => `${name} as ${bindings.name.text}_${name}`)
  const members = names.map((name) => `${name}: ${bindings.name.text}_${name}`)
  return [
    { at: bindings.pos, removed: bindings.end - bindings.pos, insert: ` { ${renamed.join(', ')} }` },
    { at: moduleSpecifier.end, insert: `; const ${bindings.name.text} = { ${members.join(', ')} }` },
  ]
}

function isListOfExports(statement) {
  return ts.isExportDeclaration(statement) && statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)
}

function changesOf(statement, source) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => {
      const { name, initializer } = declaration
      if (initializer === undefined) return []
      if (!ts.isIdentifier(name) && ts.isCallExpression(initializer)) {
        throw new Error(`Bundlers never drop a destructured call. Name the result: ${declaration.getText(source)}`)
      }
      const calls = []
      if (isPlain(initializer, calls)) return calls.map((call) => ({ at: call.getStart(source), insert: PURE }))
      return wrap(initializer, source)
    })
  }
  if (ts.isClassDeclaration(statement) && statement.members.some(({ name }) => name?.kind === SyntaxKind.ComputedPropertyName)) {
    // A constant can't be `abstract`.
    return statement.modifiers?.some(({ kind }) => kind === SyntaxKind.AbstractKeyword) ? [] : wrapClass(statement, source)
  }
  if (DECLARATIONS.has(statement.kind)) return []
  throw new Error(
    `A module must only declare something, because bundlers drop other statements, or always keep them: ${statement.getText(source)}`,
  )
}

const DECLARATIONS = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
])

function wrap(initializer, source) {
  return [
    { at: initializer.getStart(source), insert: `${PURE}(() => (` },
    { at: initializer.end, insert: '))()' },
  ]
}

/** Makes a class with computed names a constant, because no bundler drops the class itself. */
function wrapClass(statement, source) {
  const { name, modifiers, end } = statement
  return [
    {
      at: modifiers === undefined ? statement.getStart(source) : modifiers.end + 1,
      insert: `const ${name.text} = ${PURE}(() => `,
    },
    { at: end, insert: ')()' },
  ]
}

const PURE = '/* @__PURE__ */ '

/** True for an expression that every bundler drops if its value is unused, once the calls inside it are annotated. Adds them to `calls`. */
function isPlain(node, calls) {
  const arePlain = (nodes = []) => nodes.every((each) => isPlain(each, calls))
  switch (node.kind) {
    case SyntaxKind.AsExpression:
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.ParenthesizedExpression:
      return isPlain(node.expression, calls)
    case SyntaxKind.ArrayLiteralExpression:
      return arePlain(node.elements)
    case SyntaxKind.CallExpression:
    case SyntaxKind.NewExpression:
      calls.push(node)
      return ts.isIdentifier(node.expression) && arePlain(node.arguments)
    case SyntaxKind.ObjectLiteralExpression:
      return node.properties.every((property) => isPlainProperty(property, calls))
    case SyntaxKind.PrefixUnaryExpression:
      return isPlain(node.operand, calls)
    case SyntaxKind.RegularExpressionLiteral:
      // esbuild converts a literal with other characters to a call of `RegExp`.
      return ASCII.test(node.text)
    default:
      return PLAIN.has(node.kind)
  }
}

function isPlainProperty(property, calls) {
  if (property.name?.kind === SyntaxKind.ComputedPropertyName) return false
  if (ts.isPropertyAssignment(property)) return isPlain(property.initializer, calls)
  return ts.isShorthandPropertyAssignment(property) || ts.isMethodDeclaration(property)
}

const ASCII = /^[ -~]*$/

const PLAIN = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.FalseKeyword,
  SyntaxKind.FunctionExpression,
  SyntaxKind.Identifier,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.NullKeyword,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.TrueKeyword,
])
