/** The requests of the tour and the evaluation: one group for each domain, and a group for all domains. */
import type { Domain, DomainEntry, Scenario } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'

/** Requests that run with the tools of some domains. */
export interface Group {
  readonly name: string
  readonly title: string
  readonly domains: readonly Domain[]
  readonly scenarios: readonly Scenario[]
}

/**
 * Returns one group per domain. With several domains, adds a last group of requests that no tool can serve. If `isTogether` is
 * true, every group gets the tools of all domains, as in `ask` and `chat`.
 */
export async function loadGroups(entries: readonly DomainEntry[], isTogether = false): Promise<readonly Group[]> {
  const groups = await Promise.all(
    entries.map(async (entry): Promise<Group> => {
      const domain = await loadDomain(entry)
      return { name: entry.name, title: entry.title, domains: [domain], scenarios: domain.scenarios }
    }),
  )
  if (groups.length < 2) return groups
  const domains = groups.flatMap((group) => group.domains)
  const last: Group = { name: 'all', title: 'Requests that no tool serves', domains, scenarios: UNSERVED }
  return [...groups.map((group) => (isTogether ? { ...group, domains } : group)), last]
}

const UNSERVED: readonly Scenario[] = [
  { title: 'A forecast', requests: [{ request: 'What will the weather be in Paris tomorrow?', expected: [] }] },
  {
    title: 'Other trades',
    requests: [
      { request: 'Book me a table for two at an Italian restaurant tonight', expected: [] },
      { request: 'Please draw a picture of a sleeping cat', expected: [] },
      { request: 'Who won the football world cup in 1998?', expected: [] },
    ],
  },
]
