/** Compares docs/models.md with the table of facts and its sources. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DISAGREEMENTS, FACT_SOURCES, READ, SOURCES, type SourceName } from '../../../test/wire/fact-sources.ts'
import { ollamaFacts } from '../ollama/facts.ts'
import { amazonFacts } from './amazon.ts'
import { anthropicFacts } from './anthropic.ts'
import { cohereFacts } from './cohere.ts'
import { googleFacts } from './google.ts'
import { deepseekFacts, fireworksFacts, groqFacts, moonshotFacts, togetherFacts, xaiFacts } from './hosts.ts'
import { mistralFacts } from './mistral.ts'
import type { CacheFacts, FactFamily, ModelFacts, ReasoningFacts, Refusal } from './model-facts.ts'
import { openaiFacts } from './openai.ts'

const FAMILIES: readonly FactFamily[] = [
  anthropicFacts,
  openaiFacts,
  googleFacts,
  mistralFacts,
  cohereFacts,
  amazonFacts,
  ollamaFacts,
  deepseekFacts,
  moonshotFacts,
  xaiFacts,
  groqFacts,
  togetherFacts,
  fireworksFacts,
]
const path = fileURLToPath(new URL('../../../../../docs/models.md', import.meta.url))
const document = readFileSync(path, 'utf8')

it('docs/models.md contains the current facts and sources (`pnpm unit models-doc -u` writes them)', async () => {
  const written = Object.entries({ facts, sources, disagreements }).reduce(
    (text, [name, write]) => withSection(text, name, write()),
    document,
  )
  await expect(written).toMatchFileSnapshot(path)
})

describe.each(FAMILIES)('the facts of $name', ({ name, rows, on }) => {
  it('have sources', () => {
    const used = new Set(
      [...rows.flatMap((row) => [row.facts, ...Object.values(row.on ?? {})]), ...Object.values(on ?? {})].flatMap(Object.keys),
    )
    const missing = [...used].filter((fact) => (FACT_SOURCES[name]?.[fact as keyof ModelFacts] ?? []).length === 0)
    expect(missing.map((fact) => `Add a source of ${fact} to FACT_SOURCES.${name}.`)).toEqual([])
  })

  it('have no row that another row hides', () => {
    const starts = rows.flatMap(({ models }) => models)
    expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([])
  })
})

it('every source is used', () => {
  const used = new Set<SourceName>(Object.values(FACT_SOURCES).flatMap((facts) => Object.values(facts).flat()))
  expect(Object.keys(SOURCES).filter((name) => !used.has(name as SourceName))).toEqual([])
})

function facts(): string {
  return FAMILIES.map(({ name, rows }) => {
    const head = ['models', 'context', 'output', 'rejected settings', 'reasoning', 'tools', 'input', 'cache', 'tool search']
    const lines = rows.map((row) => [
      row.models.map((model) => `\`${model}\``).join(', ') + (row.assumed ? ' (assumed)' : ''),
      tokens(row.facts.contextTokens),
      tokens(row.facts.maxOutputTokens),
      (row.facts.refuses ?? []).map(refusal).join('; ') || '–',
      reasoning(row.facts.reasoning),
      calls({ ...row.facts, ...row.on?.['openai-chat'] }),
      input(row.facts),
      cache(row.facts.cache),
      row.facts.toolSearch === true ? 'yes' : 'no',
    ])
    return `### ${name}\n\n${table(head, lines)}`
  }).join('\n\n')
}

function sources(): string {
  const list = Object.entries(SOURCES).map(([name, where]) => `- ${name}: ${where}`)
  const rows = Object.entries(FACT_SOURCES).flatMap(([family, known]) =>
    Object.entries(known).map(([fact, names]) => [
      family,
      `\`${fact}\``,
      names.join(', ') + (names.length === 1 ? ' (one source)' : ''),
    ]),
  )
  return `Read on ${READ}:\n\n${list.join('\n')}\n\n${table(['provider', 'fact', 'sources'], rows)}`
}

function disagreements(): string {
  return table(['models', 'fact', 'sources', 'taken'], DISAGREEMENTS)
}

function refusal({ settings, when }: Refusal): string {
  const why = { always: '', reasoning: ' while it reasons', high_effort: ' at a high effort', together: ' together' }
  return `${settings.map((name) => `\`${name}\``).join(', ')}${why[when]}`
}

function reasoning(known: ReasoningFacts | false | undefined): string {
  if (known === undefined) return '?'
  if (known === false) return 'none'
  const { form, efforts = [], budget, byDefault, canBeOff } = known
  const how = [
    ...(form === 'budget' ? [] : [form]),
    ...efforts,
    ...(budget ? [`budget ${tokens(budget[0])} to ${tokens(budget[1])}`] : []),
  ]
  return `${how.join(', ')}; ${byDefault ? 'on' : 'off'} by default${canBeOff ? '' : ', never off'}`
}

function calls({ tools, forcedCalls, strictTools, parallelSwitch, wires }: ModelFacts): string {
  const parts = [
    ...(wires === undefined ? [] : [`only ${wires.map((wire) => `\`${wire}\``).join(', ')}`]),
    ...(tools === false ? ['none'] : tools === 'without_reasoning' ? ['on Chat without reasoning'] : []),
    ...(forcedCalls === false ? ['never forced'] : forcedCalls === 'without_reasoning' ? ['forced without reasoning'] : []),
    ...(strictTools === false ? ['never strict'] : []),
    ...(parallelSwitch === false ? ['no switch for parallel calls on Chat'] : []),
  ]
  return parts.join('; ') || 'yes'
}

function input({ input: kinds, structuredOutput }: ModelFacts): string {
  const more = structuredOutput === false ? '; no schema for replies' : ''
  return (kinds === undefined ? '?' : ['text', ...kinds].join(', ')) + more
}

function cache(known: CacheFacts | undefined): string {
  if (known === undefined) return '?'
  const { form, maxMarks, minTokens } = known
  const marks = maxMarks === undefined ? '' : `, ${maxMarks} marks`
  return `${form}${form === 'marks' ? ` (${maxMarks})` : marks}${minTokens === undefined ? '' : `, from ${tokens(minTokens)}`}`
}

function tokens(count: number | undefined): string {
  return count === undefined ? '?' : count.toLocaleString('en')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Replaces the text between the two comments of a section. */
function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
  const from = text.indexOf(start) + start.length
  return text.slice(0, from) + content + text.slice(text.indexOf(end, from))
}
