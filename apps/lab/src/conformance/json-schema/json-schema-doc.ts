/** Generates `docs/json-schema.md`, with the results of the official test suite for each keyword. */
import { mapGroups } from '../verdict.ts'
import { DEVIATIONS } from './json-schema-deviations.ts'
import type { JsonSchemaVerdict } from './json-schema-suite.ts'

const HEAD = `# JSON Schema

Tools accept JSON Schema of draft 7 and of 2020-12, which is the default without \`$schema\`. A schema that uses keywords of only one of them is
read as a schema of that draft. Two validators do the work:

- **AJV** generates code. It validates most schemas.
- **The interpreter** validates where code generation is forbidden, e.g. by a content security policy. It also validates schemas that AJV
  evaluates differently from their draft (\`$dynamicRef\` with several anchors, \`unevaluatedItems\`, \`unevaluatedProperties\`), and schemas for which
  generated code is slow: more than 150 parts, or a union of more than 20.

Both report the same issues in the same words. Schemas from zod, arktype and valibot are validated by their own libraries.

## Refused when a tool is defined

- A type that JSON Schema doesn't have, such as \`float\`. The message names the type to write.
- A reference without a target, or to another document: documents are never fetched.
- A pattern that neither engine can match in linear time, or that isn't a regular expression.
- A schema that contains itself, is nested deeper than 512 levels, or contains another library's schema.

## The official test suite

The required tests of both drafts, with both validators. Each cell shows how many of the keyword's tests the validator evaluates as the suite
expects: first AJV as described above, then the interpreter, with code generation forbidden.
`

/** Generates the page from the verdicts of all cases. */
export function jsonSchemaDoc(verdicts: readonly JsonSchemaVerdict[]): string {
  const counts = mapGroups(verdicts, (of) => {
    const agree = (validator: string) => of.filter(({ agreeing }) => agreeing.includes(validator)).length
    return `${agree('ajv')}, ${agree('interpreter')} of ${of.length}`
  })
  const keywords = [...new Set(Object.keys(counts).map((group) => group.replace(/^\S+ /, '')))].sort()
  const rows = keywords.map((keyword) => {
    const [old = '', current = ''] = ['draft7', 'draft2020-12'].map((draft) => counts[`${draft} ${keyword}`])
    return `| \`${keyword}\` | ${old} | ${current} |`
  })
  const count = (test: (verdict: JsonSchemaVerdict) => boolean) => verdicts.filter(test).length
  const deviations = DEVIATIONS.map(({ id, why }) => `- \`${id}\`: ${why}`)
  return [
    HEAD,
    '| keyword | draft 7: AJV, interpreter | 2020-12: AJV, interpreter |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `Of ${verdicts.length} tests, ${count(({ outcome }) => outcome === 'passed')} agree with both validators. The schemas of ${count(({ isRemote }) => isRemote)} tests refer to another document: they are`,
    'refused without that document, and evaluated with it among their definitions.',
    '',
    '## Deviations',
    '',
    `${count(({ outcome }) => outcome === 'skipped')} tests are evaluated differently, for these reasons:`,
    '',
    ...deviations,
    '',
    'A test generates this page: `pnpm unit apps/lab/src/conformance/json-schema -u`. `pnpm conformance json-schema` prints the same figures.',
    '',
  ].join('\n')
}
