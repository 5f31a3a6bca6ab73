/** Each preset has a file, a line in the index and a row in the README. Each wire format has a preset. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as wires from '@x/adapters/wire'
import { expect, it } from 'vitest'
import * as presets from './index.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

it('each file of a preset has a line in index.ts', () => {
  const index = readFileSync(join(import.meta.dirname, 'index.ts'), 'utf8')
  const files = readdirSync(import.meta.dirname).filter((file) => !/^index\.|\.test\.ts$/.test(file))
  const missing = files.filter((file) => !index.includes(`'./${file}'`))
  expect(missing.map((file) => `Export the preset of ${file} from packages/lm/src/presets/index.ts.`)).toEqual([])
})

it('each preset has a row in the README', () => {
  const missing = Object.keys(presets).filter((name) => !readme.includes(`\n| \`${name}\` `))
  expect(missing.map((name) => `Add a row \`${name}\` to the table "Choose a provider" in packages/lm/README.md.`)).toEqual([])
})

it('each wire format has a preset', () => {
  const options = { model: 'm', apiKey: 'k', baseURL: 'http://localhost', region: 'us-east-1' }
  const used = new Set<unknown>(Object.values(presets).map((create) => create(options).wire))
  // OpenAI has two wire formats.
  used.add(presets.openai({ ...options, api: 'chat' }).wire)
  const missing = Object.entries(wires).filter(([, value]) => isWire(value) && !used.has(value))
  expect(missing.map(([name]) => `Add a preset that uses the wire format ${name}: a file in packages/lm/src/presets.`)).toEqual(
    [],
  )
})

it('each host of openaiCompatible is in the README', () => {
  const [list = ''] = /The hosts of `openaiCompatible` are [^.]+/.exec(readme) ?? []
  expect(Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => name).slice(1)).toEqual(Object.keys(wires.openaiChatHosts))
})

function isWire(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'encode' in value && 'decode' in value
}
