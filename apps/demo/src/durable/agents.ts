/** The agents of a process that executes runs: one for each domain and model that they ask for, on one database. */
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
  /** In the place of the models that the runs name. */
  readonly lm?: LMChoice | undefined
}

export interface Agents {
  /** Rejects when the model, the domain or the database of the run cannot be used here. */
  agentFor(input: RunInput): Promise<DemoAgent['agent']>
  close(): Promise<void>
}

export function createAgents({ place, domains: known, createLM, lm }: AgentsOptions): Agents {
  const database = createDatabase(place)
  const models = new Map<string, Promise<LM>>()
  const agents = new Map<string, Promise<DemoAgent>>()
  const open = async ({ domain, model }: RunInput) => {
    const entries = known.filter(({ name }) => domain === undefined || name === domain)
    if (entries.length === 0) throw new Error(`The run is for the domain "${domain}", which this program has not.`)
    // Before a tool asks for it: what cannot be opened is no failure of a call.
    const opened = await once(models, model ?? '', () => createLM(lm ?? parseLM(model, 'planner')))
    await database.open()
    const domains = await Promise.all(entries.map(loadDomain))
    // The records of a run say which agent they are of.
    return await openDemoAgent({ name: domain ?? 'all domains', lm: opened, domains, place, database })
  }
  return {
    agentFor: async (input) => (await once(agents, JSON.stringify([input.domain, input.model]), () => open(input))).agent,
    async close() {
      for (const agent of agents.values()) await (await agent).close()
      await database.close()
    },
  }
}

/** A failure is not kept. */
function once<Value>(kept: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}
