/** The tables of docs/dialects.md say what the code does. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allDialects } from '../../test/dialects/dialects.ts'
import type { DialectPolicy } from './dialect.ts'
import { hermes } from './hermes.ts'

const document = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8')
const usual = hermes.policy

/** Of each row that begins with the name of a dialect: a call as it stands there, and the policy. */
const rows = new Map(
  [...document.slice(0, document.indexOf('## The policy')).matchAll(/^\| `([a-z0-9_]+)` \| [^|]+ \| (.+) \| ([^|]*)\|$/gm)].map(
    ([, name, call, policy]) => [name as string, { call: call as string, policy: (policy as string).trim() }],
  ),
)

describe.each(allDialects)('the row of $name', ({ name, policy, formatCall }) => {
  it('shows a call as it is written', () => {
    const formatted = formatCall({ id: 'call_0', name: 'get_weather', arguments: '{"city": "Oslo", "days": 2}' })
    const shown = rows.get(name)?.call.replace(/^`+ ?| ?`+$/g, '')
    const written = formatted.ok ? formatted.text.replaceAll('\n', '⏎').replaceAll('|', '\\|') : formatted.code
    expect(shown?.trim()).toBe(written.trim())
  })

  it('says where it decides otherwise than most', () => {
    const otherwise = (Object.keys(usual) as (keyof DialectPolicy)[]).filter((key) => policy[key] !== usual[key])
    expect(rows.get(name)?.policy).toBe(otherwise.map((key) => `\`${key}: ${policy[key]}\``).join(', '))
  })
})

it('the package ships how to write and test a dialect', () => {
  const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { files: string[] }
  expect(files).toContain('src/dialects/README.md')
  const guide = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  for (const word of ['defineDialect', 'taggedCalls', 'dialectContract', 'samples']) expect(guide).toContain(word)
})

it('has a row for each dialect, and no other', () => {
  expect([...rows.keys()].sort()).toEqual(allDialects.map(({ name }) => name).sort())
})

it.each(Object.entries(usual))('names the usual policy: %s', (option, value) => {
  expect(document).toMatch(new RegExp(`^\\| \`${option}\` \\| \`${value}\``, 'm'))
})
