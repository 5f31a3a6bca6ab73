/** Reads the official JSON Schema test suite: the required tests, and the documents that they refer to. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { readFolders, readJsonFiles } from '../read-cases.ts'

export interface JsonSchemaCase {
  /** Draft, keyword, and the suite's descriptions of the schema and the value. */
  readonly id: string
  readonly draft: string
  readonly keyword: string
  /** The schema as the suite writes it, with `$schema`. */
  readonly schema: object
  /** The schema itself if it refers to no other document. Otherwise, a copy of it that contains the other documents. */
  readonly bundled: object
  readonly value: unknown
  readonly isValid: boolean
}

interface Group {
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

interface DraftOptions {
  readonly folder: string
  readonly $schema: string
  readonly definitions: string
  /** The draft's meta-schema, as paths in AJV's `refs` directory. */
  readonly metaschemas: readonly string[]
}

const DRAFTS: readonly DraftOptions[] = [
  {
    folder: 'draft7',
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: 'definitions',
    metaschemas: ['json-schema-draft-07.json'],
  },
  {
    folder: 'draft2020-12',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    definitions: '$defs',
    metaschemas: [
      'schema.json',
      ...['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'].map(
        (name) => `meta/${name}.json`,
      ),
    ].map((path) => `json-schema-2020-12/${path}`),
  },
]

/** Returns an empty list if the directory doesn't contain the suite. */
export function readJsonSchemaCases(corpus: string): readonly JsonSchemaCase[] {
  const remotes = readRemotes(join(corpus, 'remotes'))
  return DRAFTS.flatMap((draft) => {
    const documents = new Map([...remotes, ...readMetaschemas(draft)])
    return readJsonFiles(join(corpus, 'tests', draft.folder)).flatMap(({ name, json }) =>
      (json as readonly Group[]).flatMap((group) => toCases(group, name, draft, documents)),
    )
  })
}

type Documents = ReadonlyMap<string, unknown>
type Node = Readonly<Record<string, unknown>>

function toCases(group: Group, keyword: string, { folder, $schema, definitions }: DraftOptions, documents: Documents) {
  // Tools don't accept a boolean as a schema. `$schema` must name the draft, because the default is 2020-12.
  const { schema } = group
  const own: Node = typeof schema === 'boolean' ? { $schema, allOf: [schema] } : { $schema, ...schema }
  const bundled = bundle(own, documents, definitions)
  return group.tests.map(({ description, data, valid }): JsonSchemaCase => {
    const id = `${folder}/${keyword}: ${group.description}: ${description}`
    return { id, draft: folder, keyword, schema: own, bundled, value: data, isValid: valid }
  })
}

function readRemotes(root: string): Documents {
  const folders = [root]
  const documents = new Map<string, unknown>()
  for (const folder of folders) {
    folders.push(...readFolders(folder))
    for (const { path, json } of readJsonFiles(folder))
      documents.set(`http://localhost:1234/${relative(root, path).split(sep).join('/')}`, json)
  }
  return documents
}

function readMetaschemas({ metaschemas }: DraftOptions): Documents {
  const require = createRequire(import.meta.url)
  const all = metaschemas.map((path) => JSON.parse(readFileSync(require.resolve(`ajv/dist/refs/${path}`), 'utf8')) as Node)
  return new Map(all.map((document) => [String(document.$id).replace(/#$/, ''), document]))
}

/** Copies the documents that a schema refers to into its definitions, like a schema bundler. */
function bundle(schema: Node, documents: Documents, definitions: string): Node {
  const needed = new Map<string, unknown>()
  const pending: (readonly [node: unknown, base: string])[] = [[schema, 'schema:/']]
  for (const [node, base] of pending) {
    if (typeof node !== 'object' || node === null) continue
    const { $id, $ref, $dynamicRef } = node as Node
    const uri = toURI($id, base) ?? base
    for (const reference of [$ref, $dynamicRef]) {
      const target = toURI(reference, uri)
      if (target === undefined || needed.has(target) || !documents.has(target)) continue
      needed.set(target, documents.get(target))
      pending.push([documents.get(target), target])
    }
    for (const member of Object.values(node)) pending.push([member, uri])
  }
  if (needed.size === 0) return schema
  const entries = [...needed].flatMap(([uri, document]): readonly (readonly [string, Node])[] => {
    const node: Node = typeof document === 'object' ? (document as Node) : { allOf: [document] }
    const $id = toURI(node.$id, uri) ?? uri
    const alias = [`alias of ${uri}`, { $id: uri, allOf: [{ $ref: $id }] }] as const
    return [[uri, { ...node, $id }], ...($id === uri ? [] : [alias])]
  })
  return { ...schema, [definitions]: { ...(schema[definitions] as object | undefined), ...Object.fromEntries(entries) } }
}

/** Resolves a reference and removes its fragment. */
function toURI(reference: unknown, base: string): string | undefined {
  if (typeof reference !== 'string' || !URL.canParse(reference, base)) return undefined
  return new URL(reference, base).href.replace(/#.*$/, '')
}
