/** Writes `docs/json-schema.md`: the figures of the official test suite, keyword by keyword. */
import { mapGroups } from '../verdict.ts'
import { DEVIATIONS } from './json-schema-deviations.ts'
import type { JsonSchemaVerdict } from './json-schema-suite.ts'

const HEAD = `# JSON Schema

Tools accept JSON Schema of drafts 7, 2019-09 and 2020-12. The draft is detected from the keywords of the schema, then from \`$schema\`. The default
is 2020-12. Two validators do the work:

- **AJV** generates code. It validates most schemas.
- **The interpreter** validates where code generation is forbidden, as under a content security policy. It also validates schemas that AJV
  evaluates differently from their draft (\`$dynamicRef\` with several anchors, \`unevaluatedItems\`, \`unevaluatedProperties\`, \`nullable\` without \`type\`), and schemas for which
  generated code is slow: more than 150 parts, or a union of more than 20 branches.

Both report the same issues with the same messages. Schemas from zod, arktype and valibot are validated by their library.

## Refused when a tool is defined

- A type that JSON Schema doesn't have, such as \`float\`. The message names the type to write.
- A reference to nothing, to another document (nothing is ever fetched), or only back to itself.
- A pattern that neither engine matches in linear time, and a pattern that isn't a regular expression.
- A schema that contains itself, is nested deeper than 512 levels, or contains another library's schema or a value that isn't a schema.

## The official test suite

The required tests of drafts 7 and 2020-12, with both validators; those of 2019-09 aren't run. A cell shows how many of a keyword's tests a validator
evaluates in the same way as the suite. The first number is for AJV as described above, the second for a program where code generation is forbidden.
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
    `Of ${verdicts.length} tests, ${count(({ outcome }) => outcome === 'passed')} agree with both validators. The schemas of ${count(({ isRemote }) => isRemote)} tests refer to another document: they are refused`,
    'as they are, and evaluated with that document among their definitions.',
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
