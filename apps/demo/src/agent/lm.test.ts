import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openaiChatHosts } from '@x/adapters/wire'
import * as presets from '@x/lm/presets'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UsageError } from '../failure.ts'
import { createDemoLM, describeLM } from './lm.ts'
import { PROVIDERS, type Provider } from './providers.ts'

// The developer's environment must not affect the tests.
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/_API_KEY$|^AWS_|^OPENAI_/.test(name)) vi.stubEnv(name, '')
})
afterEach(() => void vi.unstubAllEnvs())

it('PROVIDERS and the README have each preset and each host', () => {
  const names = [...Object.keys(presets).filter((name) => name !== 'openaiCompatible'), ...Object.keys(openaiChatHosts)]
  const missing = names.filter((name) => !(PROVIDERS as readonly string[]).includes(name))
  expect(
    missing.map((name) => `Add '${name}' to apps/demo/src/agent/providers.ts, and a case to lm.ts if it is a preset.`),
  ).toEqual([])
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [list = ''] = /The providers are [^.]+/.exec(readme) ?? []
  expect(names.filter((name) => !list.includes(`\`${name}\``)).map((name) => `Add \`${name}\` to apps/demo/README.md.`)).toEqual(
    [],
  )
})

const create = (provider: Provider) => createDemoLM({ kind: 'provider', provider, model: 'any' })

describe('a model of a provider', () => {
  it.each(PROVIDERS)('%s is created, or the missing environment variable is reported', async (provider) => {
    const made = await create(provider).catch((error: unknown) => error)
    if (!(made instanceof Error)) return expect(made).toMatchObject({ model: 'any' })
    expect(made).toBeInstanceOf(UsageError)
    expect(made.message).toMatch(/^\w+ needs a \w+\. Set [A-Z_]+(?: or [A-Z_]+)* in the environment\.$/)
  })

  it('takes its key from the environment', async () => {
    vi.stubEnv('GROQ_API_KEY', 'sk-1234')
    expect(await create('groq')).toMatchObject({ model: 'any' })
  })

  it('is described by its name and its provider', () => {
    expect(describeLM({ kind: 'provider', provider: 'groq', model: 'any' })).toBe('any (groq)')
  })
})

describe('OPENAI_BASE_URL', () => {
  it('replaces openai with another server, also without a key', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'http://localhost:8080/v1')
    expect(await create('openai')).toMatchObject({ wire: { name: 'openai-chat' } })
  })

  it('is refused when it is not a URL', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'localhost:8080')
    const error = new UsageError('OPENAI_BASE_URL must be an HTTP URL, e.g. http://localhost:8080/v1. It is "localhost:8080".')
    await expect(create('openai')).rejects.toThrow(error)
  })
})
