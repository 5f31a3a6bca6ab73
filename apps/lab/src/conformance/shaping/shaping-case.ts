/** The input of the `shaping` suite: recorded requests, tools that a provider accepted, and BFCL's function documents. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertCase } from '../read-cases.ts'
import { CorpusError } from '../suite.ts'
import { type Conversion, convertBFCL } from './shaping-bfcl.ts'

export interface ShapingCase {
  readonly id: string
  /**
   * - `accepted`: the provider accepted the schema unchanged.
   * - `document`: a BFCL function, which is shaped for every target.
   */
  readonly kind: 'request' | 'accepted' | 'document'
  /** The corpus's name for the target. Undefined for documents. */
  readonly dialect: string | undefined
  readonly strict: boolean
  readonly name: string
  /** The expected name in the request, if the corpus contains one. */
  readonly wireName?: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  /** The output of an existing converter. Null if the converter omits the parameters. */
  readonly expected?: unknown
  /** The code of the error that an existing converter reports. */
  readonly errorCode?: string
  readonly conversions: readonly Conversion[]
}

export function readShapingCases(corpus: string): readonly ShapingCase[] {
  return [
    ...readShapingRows(join(corpus, 'requests.json')).map(toShapingRequest),
    ...readShapingRows(join(corpus, 'accepted_tools.json')).map(toAccepted),
    ...readShapingRows(join(corpus, 'tools.json')).map(toDocument),
  ]
}

export type ShapingRow = Readonly<Record<string, unknown>>

export function readShapingRows(path: string): readonly ShapingRow[] {
  if (!existsSync(path)) return []
  let rows: unknown
  try {
    rows = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CorpusError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!Array.isArray(rows)) throw new CorpusError(`${path} is not a list.`)
  return rows
}

export function toShapingRequest(row: ShapingRow): ShapingCase {
  type Request = {
    id: string
    dialect: string
    schema: Record<string, unknown>
    wire_name?: string
    expected_error?: { code: string } | null
  }
  const {
    id,
    dialect,
    schema,
    wire_name: wireName,
    expected_error: error,
  } = assertCase<Request>(row, ['dialect', 'schema'], 'requests.json')
  return {
    id,
    kind: 'request',
    dialect,
    strict: dialect.includes('strict'),
    name: String(row.name ?? 'tool'),
    ...(wireName !== undefined && { wireName }),
    description: String(row.description ?? ''),
    schema,
    expected: row.expected_parameters,
    ...(error && { errorCode: String(error.code) }),
    conversions: [],
  }
}

function toAccepted(row: ShapingRow, index: number): ShapingCase {
  const isSubset = row.dialect === 'gemini' && row.field === 'parameters'
  const isJsonSchema = row.dialect === 'gemini' && !isSubset
  return {
    id: `accepted-${index}-${row.dialect}-${row.name}`,
    kind: 'accepted',
    dialect: isJsonSchema ? 'gemini-jsonschema' : String(row.dialect),
    strict: (row.other_fields as { strict?: unknown } | null)?.strict === true,
    name: String(row.name),
    wireName: String(row.name),
    description: String(row.description ?? ''),
    schema: row.schema as Record<string, unknown>,
    conversions: [],
  }
}

function toDocument(row: ShapingRow): ShapingCase {
  type Document = { id: string; name: string; description: string; parameters: unknown }
  const { id, name, description, parameters } = assertCase<Document>(row, ['name', 'description', 'parameters'], 'tools.json')
  const { schema, conversions } = convertBFCL(parameters)
  return { id, kind: 'document', dialect: undefined, strict: false, name, description, schema, conversions }
}
