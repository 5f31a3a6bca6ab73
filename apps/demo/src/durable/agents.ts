/** The agents of a worker, on one database: one agent for each combination of domain and model. */
import type { LM } from '@x/adapters'
import { type DemoAgent, openDemoAgent } from '../agent/demo-agent.ts'
import type { LMChoice } from '../agent/providers.ts'
import { parseLM } from '../arguments/option-values.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { createDatabase } from '../sql/database.ts'
import type { DatabasePlace } from '../sql/place.ts'
import type { RunInput } from './run-data.ts'
import type { WorkerSettings } from './worker-settings.ts'

export interface AgentsOptions extends Pick<WorkerSettings, 'domains' | 'createLM'> {
  readonly place: DatabasePlace
  /** The model to use instead of the models that the runs name. */
  readonly lm?: LMChoice | undefined
}

export interface Agents {
  /** Returns the agent for a run. Rejects if this process can't use the run's model, domain or database. */
  agentFor(input: RunInput): Promise<DemoAgent['agent']>
  close(): Promise<void>
}

export function createAgents({ place, domains: known, createLM, lm }: AgentsOptions): Agents {
  const database = createDatabase(place)
  const models = new Map<string, Promise<LM>>()
  const agents = new Map<string, Promise<DemoAgent>>()
  const open = async ({ domain, model }: RunInput) => {
    const entries = known.filter(({ name }) => domain === undefined || name === domain)
    if (entries.length === 0) throw new Error(`The run needs the domain "${domain}", which this program doesn't have.`)
    const own = parseLM(model, 'rules')
    const opened = await once(models, model ?? '', () => createLM(lm ?? own))
    // The database is opened before a tool needs it, so that a failure to open it doesn't count as a failed call.
    await database.open()
    const domains = await Promise.all(entries.map(loadDomain))
    // This depends on the model that the run names, because a replay must request the same approvals.
    const asksBeforeWrites = own.kind === 'rules'
    // The name must be the same in every process, because the run's records contain it.
    return await openDemoAgent({ name: domain ?? 'all domains', lm: opened, domains, place, database, asksBeforeWrites })
  }
  return {
    agentFor: async (input) => (await once(agents, JSON.stringify([input.domain, input.model]), () => open(input))).agent,
    async close() {
      for (const agent of agents.values()) await (await agent).close()
      await database.close()
    },
  }
}

/** Calls `make` once per key. Failures aren't cached. */
function once<Value>(kept: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}
