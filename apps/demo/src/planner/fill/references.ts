/** Takes arguments that the request omits from the results of earlier calls. */
import type { Clause } from '../clauses/clauses.ts'
import { chooseRow, choosesRow, type Finding, type Row } from '../rows.ts'
import type { Parameter } from '../tools/parameters.ts'
import { stem, wordsOfName } from '../words/stem.ts'

/** A parameter value in the row that the clause refers to: from the latest list for a position or an extreme, otherwise from the latest finding with such a value. */
export function valueFromFindings(
  parameter: Parameter,
  clause: Clause,
  findings: readonly Finding[],
  isCareful = false,
): unknown {
  const holds = (finding: Finding) => finding.rows.some((row) => fits(parameter, row[fieldFor(parameter, row, finding) ?? '']))
  const listing = choosesRow(clause) ? findings.findLast((finding) => finding.rows.length > 1 && holds(finding)) : undefined
  for (const finding of listing === undefined ? findings.toReversed() : [listing]) {
    const row = chooseRow(clause, finding, isCareful)
    const field = row === undefined ? undefined : fieldFor(parameter, row, finding)
    const value = field === undefined ? undefined : row?.[field]
    if (fits(parameter, value)) return parameter.type === 'string' ? String(value) : value
  }
  return undefined
}

/** The ambiguous values: those of the latest finding that has several. */
export function candidatesIn(parameter: Parameter, findings: readonly Finding[]): readonly string[] {
  for (const finding of findings.toReversed()) {
    const values = finding.rows.flatMap((row) => {
      const field = fieldFor(parameter, row, finding)
      return field !== undefined && fits(parameter, row[field]) ? [String(row[field])] : []
    })
    if (values.length > 1) return [...new Set(values)]
  }
  return []
}

/** Returns the field of the same name. For an id, also the row's own `id`, when the finding has the same subject. */
function fieldFor({ words, stems, identifier }: Parameter, row: Row, { offer }: Finding): string | undefined {
  const fields = Object.keys(row)
  const same = fields.find((field) => wordsOfName(field).join(' ') === words.join(' '))
  if (same !== undefined || !identifier) return same
  const own = fields.find((field) => wordsOfName(field).join(' ') === words.at(-1))
  if (words.length === 1) return own ?? fields.find((field) => wordsOfName(field).at(-1) === words[0])
  const nouns = stems.slice(0, -1)
  const isAbout =
    offer === undefined ||
    nouns.some((noun) => offer.weights.has(noun)) ||
    fields.some((field) =>
      wordsOfName(field)
        .map(stem)
        .some((word) => nouns.includes(word)),
    )
  return isAbout ? own : undefined
}

function fits({ type }: Parameter, value: unknown): boolean {
  if (type === 'string') return typeof value === 'string' || typeof value === 'number'
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number' || type === 'boolean') return typeof value === type
  if (type === 'array') return Array.isArray(value)
  return value !== undefined && value !== null
}
