/** Writes docs/errors.md from the unions of error codes in the sources, and checks that every code is explained and used. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const PACKAGES = ['tool-core', 'toolset', 'registry', 'adapters', 'lm', 'react-agent', 'durable', 'otel', 'mcp', 'code']
const page = join(root, 'docs/errors.md')
/** Matches the names of types that list error codes. */
const UNION = /(?:Code|(?<!Finish)Reason)$/
const PROPERTY = /^(?:code|reason)$/
const CODE = /^[a-z]+(?:_[a-z]+)*$/
/** Values of such properties that aren't error codes, such as an option of AJV and the kinds of code around the text of arguments. */
const NO_ERRORS: ReadonlySet<string> = new Set(['undefined', 'call', 'assignment'])

const NOT_READ: ts.ResolvedModuleWithFailedLookupLocations = { resolvedModule: undefined }

interface Union {
  readonly name: string
  readonly folder: string
  readonly file: string
  readonly codes: readonly string[]
  /** The text above the table. It names the readers of the codes. */
  readonly intro: string
  /** The fix, if it is the same for all codes. */
  readonly fix: string
  readonly rows: readonly Row[]
}

interface Row {
  readonly code: string
  readonly cause: string
  readonly fix: string
}

const files = PACKAGES.flatMap((folder) => {
  const source = join(root, 'packages', folder, 'src')
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // Samples and contracts also contain providers' codes and codes of their own functions.
  const ours = paths.filter(
    (path) => /(?<!\.test|\.test-d|samples)\.ts$/.test(path) && !/(?:^|\/)(?:testing|contract)\//.test(path),
  )
  return ours.sort().map((path) => join(source, path))
})
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  customConditions: ['@x/source'],
  lib: ['lib.es2023.d.ts'],
  types: [],
}
/** The host loads only our packages, which takes a third of the time. */
const host = ts.createCompilerHost(options)
host.resolveModuleNameLiterals = (literals, file) =>
  literals.map(({ text }) =>
    /^(?:\.|@x\/)/.test(text)
      ? ts.resolveModuleName(text, file, options, host, undefined, undefined, ts.ModuleKind.ESNext)
      : NOT_READ,
  )
const program = ts.createProgram(files, options, host)
const checker = program.getTypeChecker()
const sources = files.map((file) => program.getSourceFile(file) as ts.SourceFile)
const unions = sources.flatMap((source) => source.statements.filter(isUnion).map(readUnion))
const known = new Set(unions.flatMap(({ codes }) => codes))

describe('docs/errors.md', () => {
  it('contains the table of each union, as written by `pnpm unit errors-doc -u`', async () => {
    const head = (readFileSync(page, 'utf8').split('\n## ')[0] as string).trimEnd()
    const parts = [head, ...PACKAGES.map(toSection)].filter((part) => part !== '')
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(page)
  })

  it.each(unions)('$name says who reads it, and has the cause and the fix of each code', ({ intro, codes, rows }) => {
    expect(intro).toMatch(/\b(?:model|programmer)\b/)
    expect(rows.map(({ code }) => code)).toEqual(codes)
    expect(rows.filter(({ cause, fix }) => cause === '' || fix === '').map(({ code }) => code)).toEqual([])
  })

  it('has no code that the sources never produce', () => {
    const produced = new Set(sources.flatMap((source) => nodesOf(source).flatMap(producedBy)))
    const all = unions.flatMap(({ name, codes }) => codes.map((code) => `${name} ${code}`))
    expect(all.filter((code) => !produced.has(code))).toEqual([])
  })

  it('has every code that the sources contain', () => {
    const found = sources.flatMap((source) =>
      nodesOf(source).flatMap((node) => unlistedIn(node).map((code) => `${relative(root, source.fileName)}: ${code}`)),
    )
    expect(found).toEqual([])
  })
})

function isUnion(node: ts.Node): node is ts.TypeAliasDeclaration {
  return ts.isTypeAliasDeclaration(node) && UNION.test(node.name.text) && literalsOf(node.type).length > 0
}

/** Returns the literals of the type itself, without those of types that it refers to. */
function literalsOf(type: ts.TypeNode | undefined): readonly string[] {
  if (type === undefined) return []
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literalsOf)
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : []
}

/** Reads a doc comment: an introduction, and a list of `- code: cause Fix: fix`. Headings may divide the list. */
function readUnion(node: ts.TypeAliasDeclaration): Union {
  const source = node.getSourceFile()
  const comment = source.text.slice(node.getFullStart(), node.getStart()).match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/)?.[0] ?? ''
  const [head = '', ...items] = comment
    .replace(/^\/\*\*|\s*\*\/\s*$/g, '')
    .replace(/^ *\* ?/gm, '')
    .split(/\n(?=- `)/)
  const [intro = '', fix = ''] = paragraph(head).split(/ ?\bFix: /)
  const rows = items.map((item) => {
    const [, code = '', text = ''] = /^- `(\w+)`: (.*)$/.exec(paragraph(item)) ?? []
    const [cause = '', own = ''] = text.split(/ ?\bFix: /)
    return { code, cause: sentence(cause), fix: sentence(own === '' ? fix : own) }
  })
  const [, folder = ''] = /packages\/([^/]+)/.exec(source.fileName) ?? []
  return { name: node.name.text, folder, file: source.fileName, codes: literalsOf(node.type), intro, fix, rows }
}

/** Returns the first paragraph as one line. */
function paragraph(text: string): string {
  return (text.trim().split('\n\n')[0] as string).replace(/\s+/g, ' ')
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[;.]$/, '')}.`
}

function toSection(folder: string): string {
  const own = unions.filter((union) => union.folder === folder)
  if (own.length === 0) return ''
  return [`## @x/${folder}`, ...own.map(toTable)].join('\n\n')
}

function toTable({ name, file, intro, fix, rows }: Union): string {
  const source = `[\`${name}\`](${relative(join(root, 'docs'), file)})`
  // A fix that applies to all codes is part of the text above the table.
  const columns = fix === '' ? (['code', 'cause', 'fix'] as const) : (['code', 'cause'] as const)
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => columns.map((column) => cell(row, column)))]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `### ${source}\n\n${intro}${fix === '' ? '' : ` Fix: ${fix}`}\n\n${table}`
}

function cell(row: Row, column: keyof Row): string {
  return column === 'code' ? `\`${row.code}\`` : row[column].replaceAll('|', '\\|')
}

function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return nodes
}

/** Returns the unions and codes for which a string is used as a value. Comparisons don't count, because they have no contextual type. */
function producedBy(node: ts.Node): readonly string[] {
  if (!ts.isStringLiteral(node) || !known.has(node.text)) return []
  const type = checker.getContextualType(node)
  if (type === undefined) return []
  const allowed = (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0)
  const texts = new Set(allowed.map((one) => (one.isStringLiteral() ? one.value : undefined)))
  const fits = ({ codes }: Union) =>
    codes.includes(node.text) && (codes.every((code) => texts.has(code)) || [...texts].every((text) => codes.includes(`${text}`)))
  return unions.filter(fits).map(({ name }) => `${name} ${node.text}`)
}

/** Returns codes of a property that aren't in any union, and the type of a class's `code` if it doesn't refer to a union. */
function unlistedIn(node: ts.Node): readonly string[] {
  const isValue = ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)
  if (!(isValue || ts.isPropertySignature(node)) || !PROPERTY.test(node.name.getText())) return []
  const type = ts.isPropertyAssignment(node) ? undefined : node.type
  const isOpen = type !== undefined && ts.isPropertyDeclaration(node) && node.name.getText() === 'code'
  const codes = [...literalsOf(type), ...(isValue ? valuesOf(node.initializer) : [])]
  return [
    ...codes.filter((code) => CODE.test(code) && !known.has(code) && !NO_ERRORS.has(code)),
    ...(isOpen && codes.length === 0 && !isListed(type) ? [type.getText()] : []),
  ]
}

function isListed(type: ts.TypeNode): boolean {
  return unions.some(({ name }) => type.getText().includes(name))
}

function valuesOf(node: ts.Expression | undefined): readonly string[] {
  if (node === undefined) return []
  if (ts.isStringLiteral(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) return [...valuesOf(node.left), ...valuesOf(node.right)]
  return ts.isSatisfiesExpression(node) || ts.isAsExpression(node) ? valuesOf(node.expression) : []
}
