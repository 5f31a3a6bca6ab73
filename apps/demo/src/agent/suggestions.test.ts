import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../../test/domains.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { IN_MEMORY } from '../sql/place.ts'
import { createDemoLM } from './lm.ts'
import { openSession } from './session.ts'
import { suggestFor } from './suggestions.ts'

const examples = DOMAINS.flatMap((entry) => entry.examples)

const PAGES = ['README.md', 'apps/demo/README.md', 'docs/tour.md', 'apps/demo/src/arguments/arguments.ts']

/** The requests after `ask` and after the prompt of `chat` in the documentation, in `--help` and in error messages. */
const documented = [
  ...new Set(
    PAGES.flatMap((page) => {
      const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8')
      const asked = [...text.matchAll(/demo -- ask "([^"<]+)"/g)]
      const prompted = page.endsWith('.md') ? [...text.matchAll(/^> (?!edit\b)(.+)$/gm)] : []
      return [...asked, ...prompted].flatMap((match) => match[1] ?? [])
    }),
  ),
]

it('finds the documented requests', () => {
  expect(documented.length).toBeGreaterThanOrEqual(5)
})

it.each([...new Set([...examples, ...documented])])(
  '%j is served by the rules with the tools of all domains',
  async (request) => {
    const domains = await Promise.all(DOMAINS.map(loadDomain))
    const lm = await createDemoLM({ kind: 'rules' })
    const session = await openSession({ name: 'all', lm, domains, place: { kind: 'sqlite', file: IN_MEMORY } })
    try {
      const { answered, calls, answer } = await session.ask(request)
      expect({ answered, calls: calls.map(({ ok }) => ok) }, answer).toEqual({ answered: true, calls: calls.map(() => true) })
      expect(calls.length, answer).toBeGreaterThan(0)
      expect(answer).not.toMatch(/nothing was (?:called|changed)|isn't understood|also needs/)
    } finally {
      await session.close()
    }
  },
)

describe('suggestFor', () => {
  it('returns three different examples', () => {
    for (const request of ['', 'What is the weather like?', 'Draw a cat', '???']) {
      const found = suggestFor(request, DOMAINS)
      expect(new Set(found).size).toBe(3)
      expect(examples).toEqual(expect.arrayContaining([...found]))
    }
  })

  it('prefers examples that share words with the request', () => {
    expect(suggestFor('Do you have cameras for children?', DOMAINS)[0]).toBe('Which of your cameras has the best rating?')
    expect(suggestFor('Cancel all my reminders in March', DOMAINS)).toContain('What reminders do I have?')
  })

  it('suggests other requests for other requests', () => {
    const requests = ['What is the weather like?', 'Draw a cat', 'Who won the world cup?', 'Tell me a joke', 'Order a pizza']
    expect(new Set(requests.map((request) => suggestFor(request, DOMAINS).join())).size).toBeGreaterThan(3)
  })

  it('only suggests what the domains of the command can do', () => {
    const memory = DOMAINS.filter(({ name }) => name === 'memory')
    expect(suggestFor('Find a laptop', memory).every((example) => memory[0]?.examples.includes(example))).toBe(true)
  })
})
