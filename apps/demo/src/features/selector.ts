/** Selects tools with one model request, over the tools of all domains, and scores the selections. */
import { evaluate, multiToolSelector, scoreSelections } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import type { Domain } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { createDatabase } from '../sql/database.ts'
import { IN_MEMORY } from '../sql/place.ts'
import { layOut } from '../view/table.ts'
import { type Feature, printer } from './feature.ts'

export const selectorFeature: Feature = {
  name: 'selector',
  title: 'Select tools with one request, and score the selections',
  packages: '@x/react-agent, @x/registry',
  async play(stage) {
    const { lm, entries, signal, findings } = stage
    const show = printer(stage)
    const database = createDatabase({ kind: 'sqlite', file: IN_MEMORY })
    const domains = await Promise.all(entries.map(loadDomain))
    const tools = createRegistry(
      domains.flatMap((domain) => domain.createTools(database)),
      { name: 'all domains' },
    )
    const select = multiToolSelector({ lm, tools })
    const groups = domains
      .map((domain) => ({ name: domain.name, cases: casesOf(domain) }))
      .filter(({ cases }) => cases.length > 0)
    const [first] = groups.flatMap(({ cases }) => cases)
    if (first !== undefined) {
      const { toolCalls } = await select(first.inputs, undefined, { signal })
      show('request', first.inputs)
      show('selected', toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join('; ') || 'nothing')
    }
    const scored = []
    for (const { name, cases } of groups) {
      const metric = (expected: readonly string[], { toolCalls }: Selected) =>
        scoreSelections([{ expected, selected: toolCalls }]).f1
      const { results } = await evaluate((request: string) => select(request, undefined, { signal }), cases, metric, { signal })
      scored.push({ name, selections: results.map(({ expected, output }) => ({ expected, selected: output?.toolCalls ?? [] })) })
    }
    const all = { name: 'total', selections: scored.flatMap(({ selections }) => selections) }
    const rows = [...scored, all].map(({ name, selections }) => {
      const { precision, recall, f1 } = scoreSelections(selections)
      return [name, String(selections.length), ...[precision, recall, f1].map((value) => value.toFixed(2))]
    })
    const [heading = '', ...lines] = layOut([['domain', 'requests', 'precision', 'recall', 'F1'], ...rows])
    show('score', heading)
    for (const line of lines) show('', line)
    const { f1 } = scoreSelections(all.selections)
    findings.expect(`an F1 score of at least ${LEAST_F1}`, f1 >= LEAST_F1, true)
    await database.close()
  },
}

/** Minimum F1 score. A lower score means that the selector is broken, not just that the model is weak. */
const LEAST_F1 = 0.5

interface Selected {
  readonly toolCalls: readonly { readonly name: string }[]
}

/** Returns the first request of each scenario that one call serves. A selector can't see the results of earlier calls. */
function casesOf({ scenarios }: Domain) {
  return scenarios.flatMap(({ requests: [request] }) => {
    const [call, ...more] = request?.expected ?? []
    return request === undefined || call === undefined || more.length > 0
      ? []
      : [{ inputs: request.request, expected: [call.tool] }]
  })
}
