/** Tests that the table in docs/dialects.md and the counts in the READMEs match the code. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as all from './all.ts'
import type { Dialect, DialectPolicy } from './define/dialect.ts'
import { hermes } from './hermes.ts'

const path = fileURLToPath(new URL('../../../../docs/dialects.md', import.meta.url))
const document = readFileSync(path, 'utf8')
const usual = hermes.policy
const dialects = new Map(Object.entries(all))

const COUNT = /\b\d+ (?:dialects|formats)\b/g

function toTable(): string {
  const lines = readFileSync(new URL('all.ts', import.meta.url), 'utf8').matchAll(/^export \{ (\w+) \} from '\.\/(.+)'$/gm)
  const rows = Array.from(lines, ([, key = '', file = '']) => toRow(dialects.get(key) as Dialect, file))
  return ['| dialect | a call of `get_weather` with `city` and `days` | different defaults |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

/** Returns a table row: the first comment of the file, a call in the dialect, and the differences from the default policy. */
function toRow({ name, policy, formatCall }: Dialect, file: string): string {
  const comment = /^\/\*\*\s+(?:\* )?(.+?)\.?\s+\*\//s.exec(readFileSync(new URL(file, import.meta.url), 'utf8'))?.[1] ?? ''
  const about = comment.replace(/\n \* /g, ' ')
  const formatted = formatCall({ id: 'call_0', name: 'get_weather', arguments: '{"city": "Oslo", "days": 2}' })
  const call = formatted.ok ? formatted.text.replaceAll('\n', '⏎') : formatted.code
  const fence = call.includes('```') ? '````' : '`'
  const otherwise = (Object.keys(usual) as (keyof DialectPolicy)[]).filter((key) => policy[key] !== usual[key])
  const cells = [
    `[\`${name}\`](../packages/adapters/src/dialects/${file}): ${about}`,
    `${fence}${call}${fence}`,
    otherwise.map((key) => `\`${key}: ${policy[key]}\``).join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

it('the table matches the dialects (`pnpm unit dialects-doc -u` writes it)', async () => {
  const start = document.indexOf('| dialect |')
  const end = document.indexOf('\n\n', start)
  await expect(document.slice(0, start) + toTable() + document.slice(end)).toMatchFileSnapshot(path)
})

it.each(['README.md', 'packages/adapters/README.md'])(
  '%s contains the current number of dialects (`pnpm unit dialects-doc -u` writes it)',
  async (page) => {
    const file = fileURLToPath(new URL(`../../../../${page}`, import.meta.url))
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(COUNT)
    await expect(text.replaceAll(COUNT, `${dialects.size} dialects`)).toMatchFileSnapshot(file)
  },
)

it('docs/dialects.md contains no number of dialects that a new one would change', () => {
  expect(document).not.toMatch(COUNT)
})

it('the package includes the guide to writing and testing a dialect', () => {
  const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { files: string[] }
  expect(files).toContain('src/dialects/README.md')
  const guide = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  for (const word of ['defineDialect', 'taggedCalls', 'dialectContract', 'samples']) expect(guide).toContain(word)
})

it.each(Object.entries(usual))('states the default policy: %s', (option, value) => {
  expect(document).toMatch(new RegExp(`^\\| \`${option}\` \\| \`${value}\``, 'm'))
})
