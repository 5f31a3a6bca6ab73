/** Finds arguments that the request doesn't contain in the results of earlier calls. */
import type { Clause } from '../clauses/clauses.ts'
import { chooseRow, choosesRow, type Finding, type Row } from '../rows.ts'
import { properNameIn } from '../tools/names.ts'
import type { Parameter } from '../tools/parameters.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'

/**
 * Returns the value of a parameter in the row that the clause refers to. A position or an extreme refers to a row of the latest list.
 * Otherwise, the latest finding with such a value is used. A capitalized name in the clause must be that of the row.
 */
export function valueFromFindings(
  parameter: Parameter,
  clause: Clause,
  findings: readonly Finding[],
  isCareful = false,
): unknown {
  const name = properNameIn(clause)
  const holds = (finding: Finding) => finding.rows.some((row) => fits(parameter, row[fieldFor(parameter, row, finding) ?? '']))
  const listing = choosesRow(clause) ? findings.findLast((finding) => finding.rows.length > 1 && holds(finding)) : undefined
  for (const finding of listing === undefined ? findings.toReversed() : [listing]) {
    const named = name === undefined ? [] : finding.rows.filter((one) => isNamed(one, name))
    const row = named.length === 1 ? named[0] : chooseRow(clause, finding, isCareful)
    if (name !== undefined && row !== undefined && parameter.identifier && !named.includes(row)) continue
    const field = row === undefined ? undefined : fieldFor(parameter, row, finding)
    const value = field === undefined ? undefined : row?.[field]
    if (fits(parameter, value)) return parameter.type === 'string' ? String(value) : value
  }
  return undefined
}

/** Returns true if the texts of the row contain all words of the name. */
function isNamed(row: Row, name: string): boolean {
  const words = new Set(Object.values(row).flatMap((value) => (typeof value === 'string' ? stemsOf(value) : [])))
  return stemsOf(name).every((word) => words.has(word))
}

/** Returns the values from which the user has to choose: those of the latest finding with several values. */
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

/**
 * Returns the field with the parameter's name. For an id, this may also be the row's own `id`, if the rows are about the same kind of
 * thing.
 */
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
