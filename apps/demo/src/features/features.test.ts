import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../../test/domains.ts'
import { createDemoLM } from '../agent/lm.ts'
import { createTerminal } from '../view/terminal.ts'
import { FEATURES } from './index.ts'
import { playFeatures } from './play-features.ts'

async function play(features: typeof FEATURES) {
  let shown = ''
  const terminal = createTerminal({ write: (text) => (shown += text) }, { COLUMNS: '110' })
  const lm = await createDemoLM({ kind: 'rules' })
  const worked = await playFeatures(features, { lm, entries: DOMAINS, terminal, signal: new AbortController().signal })
  return { worked, shown }
}

describe('a feature of the tour', () => {
  it.each(FEATURES.map((feature) => [feature.name, feature] as const))(
    'works with the rules or a script: %s',
    async (_, feature) => {
      const { worked, shown } = await play([feature])
      expect(worked, shown).toBe(1)
      expect(shown).toContain(`(${feature.packages})`)
    },
  )

  it('prints the spans as a tree', async () => {
    const { shown } = await play(FEATURES.filter(({ name }) => name === 'spans'))
    expect(shown).toMatch(/^ {2}spans {4}invoke_agent shop .*\n {13}chat .*\n {13}execute_tool /m)
  })

  it('is reported if something is not as expected', async () => {
    const broken: (typeof FEATURES)[number] = {
      name: 'x',
      title: 'X',
      packages: '@x/x',
      play: async ({ findings }) => findings.expect('one', 1, 2),
    }
    const { worked, shown } = await play([broken])
    expect(worked).toBe(0)
    expect(shown).toContain('one: 1, expected 2')
  })

  it('is in the recorded tour, with the packages that provide it', () => {
    const page = readFileSync(new URL('../../../../docs/tour.md', import.meta.url), 'utf8')
    for (const { title, packages } of FEATURES) expect(page).toContain(`${title} (${packages})`)
  })
})
