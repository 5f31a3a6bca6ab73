/** What a scenario is, and what it gets. */
import type { EngineName, LoadEngine, Server } from './engines.ts'
import type { Fleet, FleetOptions } from './fleet.ts'

export interface Scenario {
  readonly name: string
  /** Number of runs on each engine that the scenario supports. */
  readonly counts: Readonly<Partial<Record<EngineName, number>>>
  run(world: World): Promise<Outcome>
}

export interface World {
  readonly server: Server
  readonly count: number
  /** File to which all processes append. */
  readonly log: string
  /** Creates a fleet without workers. Fleets and clients of the same name share their runs. */
  fleet(options?: Partial<FleetOptions>): Fleet
  client(name?: string): Promise<LoadEngine>
}

export interface Outcome {
  readonly figures: Readonly<Record<string, number | string>>
  /** Descriptions of broken promises. */
  readonly broken: readonly string[]
}
