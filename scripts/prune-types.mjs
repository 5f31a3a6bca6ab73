/** Removes from type declarations what no entry of the package exports, directly or within the types of its exports. */
import { createRequire } from 'node:module'
import { posix } from 'node:path'

// `import` would compile this CommonJS file twice, to find out its format.
const ts = createRequire(import.meta.url)('typescript')
const { SyntaxKind } = ts

/**
 * Returns the pruned text of each file that the entries need, by path. `read` returns the text of a declaration file. Users can import
 * only the entries, so the compiler doesn't need the rest.
 */
export function pruneTypes(entries, read) {
  const files = new Map()
  const fileAt = (path) => {
    if (!files.has(path)) files.set(path, parse(path, read(path)))
    return files.get(path)
  }
  for (const entry of entries) keepAll(fileAt(entry))
  return new Map([...files.values()].filter(({ kept }) => kept.size > 0).map((file) => [file.path, print(file)]))

  function keepAll(file) {
    for (const statement of file.source.statements) if (isExported(statement)) keep(file, statement)
  }

  /** Keeps the declarations of an exported name, in this file or in the file that declares it. */
  function keepExport(file, name) {
    const passedOn = file.passedOn.get(name)
    if (passedOn !== undefined) return keepImport(file, passedOn)
    if (file.declared.has(name)) return keepLocal(file, name)
    if (file.stars.length === 0) throw new Error(`${file.path} doesn't export ${name}.`)
    // The name may come from any of these files.
    for (const statement of file.stars) keep(file, statement)
  }

  /** Keeps the declarations of a name in the scope of this file. */
  function keepLocal(file, name) {
    for (const statement of file.declared.get(name) ?? []) keep(file, statement)
    const imported = file.imported.get(name)
    if (imported !== undefined) keepImport(file, imported)
  }

  /** Keeps one name of an import or of an `export … from`, and its declaration in the other file. */
  function keepImport(file, { statement, node, name }) {
    if (file.keptNames.has(node)) return
    file.keptNames.add(node)
    file.kept.add(statement)
    const { moduleSpecifier } = statement
    if (moduleSpecifier === undefined) return keepLocal(file, name)
    if (!moduleSpecifier.text.startsWith('.')) return
    const other = fileAt(pathOf(file, moduleSpecifier.text))
    if (name === undefined) keepAll(other)
    else keepExport(other, name)
  }

  function keep(file, statement) {
    if (ts.isImportDeclaration(statement)) return
    if (ts.isExportDeclaration(statement)) {
      const names = [...file.passedOn.values()].filter((found) => found.statement === statement)
      for (const found of names) keepImport(file, found)
      if (names.length > 0 || file.kept.has(statement)) return
      file.kept.add(statement)
      if (statement.moduleSpecifier?.text.startsWith('.')) keepAll(fileAt(pathOf(file, statement.moduleSpecifier.text)))
      return
    }
    if (file.kept.has(statement)) return
    file.kept.add(statement)
    for (const name of namesIn(statement)) keepLocal(file, name)
    for (const { specifier, name } of importTypesIn(statement)) {
      if (!specifier.startsWith('.')) continue
      const other = fileAt(pathOf(file, specifier))
      if (name === undefined) keepAll(other)
      else keepExport(other, name)
    }
  }
}

function isExported(statement) {
  return ts.isExportDeclaration(statement) || statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)
}

function parse(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const file = {
    path,
    source,
    declared: new Map(),
    imported: new Map(),
    passedOn: new Map(),
    stars: [],
    kept: new Set(),
    keptNames: new Set(),
  }
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause
      const bindings = clause?.namedBindings
      if (clause === undefined) throw new Error(`${path}: an import without names isn't supported: ${statement.getText()}`)
      if (clause.name) file.imported.set(clause.name.text, { statement, node: clause, name: 'default' })
      if (bindings && ts.isNamespaceImport(bindings)) file.imported.set(bindings.name.text, { statement, node: bindings })
      if (bindings && ts.isNamedImports(bindings))
        for (const node of bindings.elements)
          file.imported.set(node.name.text, { statement, node, name: (node.propertyName ?? node.name).text })
    } else if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        for (const node of statement.exportClause.elements)
          file.passedOn.set(node.name.text, { statement, node, name: (node.propertyName ?? node.name).text })
      else file.stars.push(statement)
    } else for (const name of declaredNames(statement)) file.declared.set(name, [...(file.declared.get(name) ?? []), statement])
  }
  return file
}

/**
 * Returns the names that the statement declares. Throws for a statement without names, such as an augmented module, because it would have
 * to be kept even if nothing refers to it.
 */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text)
  if (statement.name && ts.isIdentifier(statement.name) && !ts.isModuleDeclaration(statement)) return [statement.name.text]
  throw new Error(`${statement.getSourceFile().fileName}: this declaration isn't supported: ${statement.getText().slice(0, 80)}`)
}

/**
 * Returns every name that the statement may refer to. There may be too many, because a type parameter can have the name of a declaration.
 */
function namesIn(statement) {
  const names = new Set()
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isMemberName(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(statement)
  return names
}

function isMemberName(node) {
  const { parent } = node
  if (ts.isQualifiedName(parent)) return parent.right === node
  return (
    parent.name === node &&
    [
      SyntaxKind.PropertySignature,
      SyntaxKind.MethodSignature,
      SyntaxKind.PropertyDeclaration,
      SyntaxKind.MethodDeclaration,
      SyntaxKind.Parameter,
    ].includes(parent.kind)
  )
}

function importTypesIn(statement) {
  const found = []
  const visit = (node) => {
    if (ts.isImportTypeNode(node)) {
      let name = node.qualifier
      while (name && ts.isQualifiedName(name)) name = name.left
      found.push({ specifier: node.argument.literal.text, name: name?.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(statement)
  return found
}

function pathOf(file, specifier) {
  return posix.join(posix.dirname(file.path), specifier).replace(/\.ts$/, '.d.ts')
}

function print({ source, kept, keptNames }) {
  const texts = source.statements
    .filter((statement) => kept.has(statement) || isEmptyExport(statement))
    .map((statement) => {
      const list = statement.importClause?.namedBindings ?? statement.exportClause
      const elements = list?.elements
      const text = statement.getFullText()
      if (!elements || elements.every((node) => keptNames.has(node))) return text
      const from = statement.getFullStart()
      const names = elements.filter((node) => keptNames.has(node)).map((node) => node.getText())
      return `${text.slice(0, list.getStart() - from)}{ ${names.join(', ')} }${text.slice(list.getEnd() - from)}`
    })
  return `${texts.join('').trimStart()}\n`
}

/** True for `export {}`. Without it, all declarations of a declaration file are exported. */
function isEmptyExport(statement) {
  return ts.isExportDeclaration(statement) && statement.exportClause?.elements?.length === 0
}
