/** Decides from PostgreSQL's syntax tree whether a statement may run. */
import { databaseError } from '../database-error.ts'
import { holdsSeveral, isEmpty } from '../statement-text.ts'
import { BETWEEN, FUNCTIONS, OPERATORS, SAMPLING, SETTINGS, TYPES } from './postgres-names.ts'
import { CHOICES, READING_NODES, WRITING_NODES } from './postgres-nodes.ts'

export interface TreeRules {
  readonly readOnly: boolean
  /** Names of functions and types to allow in addition to PostgreSQL's own, written as in SQL: `area_of`, `crm.area_of`. */
  readonly functions: ReadonlySet<string>
}

/** Names in a statement that need a look-up in the database. */
export interface OpenNames {
  /** Names after a dot. Each may be a column, or the call of a function, as in `('x'::text).pg_read_file`. */
  readonly attributes: ReadonlySet<string>
  /** Types that aren't built into PostgreSQL. Each may be an enum, or a type that runs code. */
  readonly types: ReadonlySet<string>
  /**
   * Relations that the statement writes, defines, drops, locks or uses in a definition, as `[schema, name]`, or `[name]` without a schema.
   */
  readonly relations: readonly (readonly string[])[]
}

type Node = Readonly<Record<string, unknown>>
interface Walk extends TreeRules, OpenNames {
  readonly attributes: Set<string>
  readonly types: Set<string>
  readonly relations: (readonly string[])[]
  readonly sources: (readonly string[])[]
  /** True if the statement defines a view or has a locking clause. It then does more than read the relations in `sources`. */
  isReaching: boolean
}

const STATEMENTS: ReadonlySet<string> = new Set([
  ...['SelectStmt', 'ExplainStmt', 'VariableShowStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'TruncateStmt'],
  ...['CreateStmt', 'CreateTableAsStmt', 'IndexStmt', 'ViewStmt', 'AlterTableStmt', 'RenameStmt', 'DropStmt'],
])

/**
 * Checks a statement's syntax tree, given as JSON, and returns the names that need a look-up in the database. Throws `sql_error`,
 * `multi_statement`, `statement_not_allowed` or `read_only_violation`.
 */
export function readStatement(json: string, rules: TreeRules): OpenNames {
  const { stmts = [] } = JSON.parse(json) as { stmts?: readonly { stmt?: Node }[] }
  const [first] = stmts
  if (first?.stmt === undefined) throw isEmpty()
  if (stmts.length > 1) throw holdsSeveral()
  const walk: Walk = { ...rules, attributes: new Set(), types: new Set(), relations: [], sources: [], isReaching: false }
  // Uses an explicit list, because a tree may be too deep for recursion.
  const left = [nodeOf(first.stmt)]
  if (!STATEMENTS.has(left[0]?.kind ?? '')) throw notAllowed(left[0]?.kind ?? '')
  for (let next = left.pop(); next !== undefined; next = left.pop()) left.push(...readNode(next, walk))
  if (walk.isReaching) walk.relations.push(...walk.sources)
  for (const names of walk.relations) assertNotSystem(names)
  return walk
}

interface Place {
  readonly kind: string
  readonly node: Node
  /** The field that contains the node, such as `SelectStmt.fromClause`. Undefined for the root. */
  readonly of?: string
}

/** Checks a node, and returns the nodes that it contains. */
function readNode({ kind, node, of }: Place, walk: Walk): readonly Place[] {
  const fields = READING_NODES.get(kind) ?? (walk.readOnly ? undefined : WRITING_NODES.get(kind))
  if (fields === undefined) throw WRITING_NODES.has(kind) ? wouldChange(kind) : notAllowed(kind)
  CHECKS[kind]?.(node, walk, of)
  const found: Place[] = []
  for (const [field, value] of Object.entries(node)) {
    if (field === 'location') continue
    const inner = fields.get(field)
    if (inner === undefined) throw notAllowed(`${kind}.${field}`)
    if (CHOICES.get(`${kind}.${field}`)?.has(value) === false) throw notChosen(kind, value)
    if (typeof value !== 'object' || value === null || kind === 'A_Const') continue
    const place = `${kind}.${field}`
    if (inner !== '') found.push({ kind: inner, node: value as Node, of: place })
    // Skips empty list items and empty nodes, such as a star.
    else
      for (const each of Array.isArray(value) ? value : [value])
        if (Object.keys(each).length > 0) found.push({ ...nodeOf(each), of: place })
  }
  return found
}

/** Reads a node, which has the form `{ SelectStmt: { … } }`. */
function nodeOf(value: unknown): Place {
  const entries = Object.entries(value as Node)
  const [kind, node] = entries[0] ?? ['', {}]
  if (entries.length !== 1 || typeof node !== 'object' || node === null) throw notAllowed(kind)
  return { kind, node: node as Node }
}

type Check = (node: Node, walk: Walk, of: string | undefined) => void

/** Fields whose relations are only read. A relation in any other field is written, defined, dropped, locked, or part of a definition. */
const SOURCES: ReadonlySet<string | undefined> = new Set([
  ...['SelectStmt.fromClause', 'UpdateStmt.fromClause', 'DeleteStmt.usingClause', 'MergeStmt.sourceRelation'],
  ...['JoinExpr.larg', 'JoinExpr.rarg', 'RangeTableSample.relation'],
])

const CHECKS: Readonly<Record<string, Check | undefined>> = {
  FuncCall: ({ funcname }, { functions }) => {
    const names = namesOf(funcname)
    if (!isListed(names, FUNCTIONS) && !functions.has(names.join('.'))) throw notCallable(names.join('.'))
  },
  TypeName: ({ names }, { functions, types }) => {
    const parts = namesOf(names)
    if (!isListed(parts, TYPES) && !functions.has(parts.join('.'))) types.add(parts.at(-1) ?? '')
  },
  ColumnRef: ({ fields }, walk) => addAttributes((fields as readonly unknown[]).slice(1), walk),
  A_Indirection: ({ indirection }, walk) => addAttributes(indirection as readonly unknown[], walk),
  A_Expr: ({ kind, name }) => {
    if (!(String(kind).includes('BETWEEN') && BETWEEN.has(namesOf(name).join()))) assertOperator(name)
  },
  SubLink: ({ operName }) => operName !== undefined && assertOperator(operName),
  SortBy: ({ useOp }) => useOp !== undefined && assertOperator(useOp),
  Constraint: ({ exclusions = [] }) => {
    // Each exclusion is a pair: an element and an operator.
    for (const { List } of exclusions as readonly { List: { items: readonly { List?: { items: unknown } }[] } }[])
      assertOperator(List.items[1]?.List?.items)
  },
  RangeTableSample: ({ method }) => {
    if (!isListed(namesOf(method), SAMPLING)) throw notCallable(namesOf(method).join('.'))
  },
  VariableShowStmt: ({ name }) => {
    if (!SETTINGS.has(String(name).toLowerCase())) throw refused('SHOW is not allowed for this setting.')
  },
  RangeVar: ({ schemaname, relname }, { relations, sources }, of) => {
    const places = SOURCES.has(of) ? sources : relations
    places.push([schemaname, relname].filter((name) => typeof name === 'string'))
  },
  ViewStmt: (_, walk) => {
    walk.isReaching = true
  },
  LockingClause: (_, walk) => {
    walk.isReaching = true
  },
  DropStmt: ({ objects }, { relations }) => {
    for (const { List } of objects as readonly { List?: { items: unknown } }[]) relations.push(namesOf(List?.items))
  },
  // A list here is the name of an object, such as the sequence of an identity column or the sequence's owner.
  DefElem: ({ defname, arg }) => {
    if ((arg as { List?: unknown } | undefined)?.List === undefined) return
    throw refused(`The option ${String(defname).toUpperCase().replace('_', ' ')} is not allowed.`)
  },
  // Without `subname`, the relation itself is renamed. With its new name, it could hide one of PostgreSQL's own relations.
  RenameStmt: ({ subname, newname }, { relations }) => subname === undefined && relations.push([String(newname)]),
}

/** Returns the names in a list of nodes `{ String: { sval } }`. */
function namesOf(list: unknown): readonly string[] {
  return ((list ?? []) as readonly { String?: { sval?: string } }[]).map(({ String: text }) => {
    if (typeof text?.sval !== 'string') throw refused('A name in the statement cannot be read.')
    return text.sval
  })
}

/** True for a name in the list, with or without PostgreSQL's own schema. False for the same name in another schema. */
function isListed(names: readonly string[], list: ReadonlySet<string>): boolean {
  const [name = '', schema = 'pg_catalog', ...rest] = names.toReversed()
  return schema === 'pg_catalog' && rest.length === 0 && list.has(name)
}

function addAttributes(parts: readonly unknown[], { functions, attributes }: Walk): void {
  for (const part of parts) {
    const name = (part as { String?: { sval?: string } }).String?.sval
    if (name !== undefined && !FUNCTIONS.has(name) && !functions.has(name)) attributes.add(name)
  }
}

function assertOperator(name: unknown): void {
  const names = namesOf(name)
  if (!isListed(names, OPERATORS)) throw refused(`The operator ${names.join('.')} is not allowed.`)
}

/**
 * Refuses changes to PostgreSQL's own relations. A superuser who changes them can run any function and write anything. The database itself
 * checks relations that were renamed, or whose schema depends on the search path.
 */
function assertNotSystem(names: readonly string[]): void {
  const [relation = '', schema] = names.toReversed()
  const isSystem = schema === undefined ? relation.startsWith('pg_') : /^(pg_|information_schema$)/.test(schema)
  if (isSystem) throw onlyRead(names.join('.'))
}

export function onlyRead(name: string): Error {
  return refused(`${name} is one of PostgreSQL's own tables and views, or has the same name as one. These can only be read.`)
}

export function notCallable(name: string): Error {
  return refused(`The function ${name} is not on the list of allowed functions.`)
}

function notChosen(kind: string, value: unknown): Error {
  if (value === 'DROP_CASCADE')
    return refused("CASCADE is not allowed, because it also changes what the statement doesn't name. Drop or empty that first.")
  return value === 't' && kind === 'RangeVar'
    ? refused('A temporary table or view exists only during this statement. Remove TEMP, or use WITH.')
    : refused('Only tables, indexes and views can be created, altered or dropped.')
}

function wouldChange(kind: string): Error {
  return databaseError(
    'read_only_violation',
    `${wordsOf(kind)} changes or locks data. Only statements that read are allowed here.`,
  )
}

function notAllowed(kind: string): Error {
  return refused(`${wordsOf(kind)} is not allowed here. Send a statement that reads or writes rows.`)
}

/** Returns the SQL for a kind of statement: `DELETE` for `DeleteStmt`. */
function wordsOf(kind: string): string {
  return (
    kind
      .replace(/Stmt\b/, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase() || 'This'
  )
}

function refused(words: string): Error {
  return databaseError('statement_not_allowed', words)
}
