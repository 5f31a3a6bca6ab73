/** A domain of the demo: tools, instructions for the model, and requests with the calls that serve them. */
import type { RegistryEntry } from '@x/registry'
import * as Type from 'typebox'
import type { Connect } from '../sql/database.ts'

/** Settings that a domain receives when its tools are created. */
export interface DomainSettings {
  /** Connects to the database that all domains share. The first tool that needs the database opens it. */
  readonly connect: Connect
}

/**
 * The values that a run passes to its tools: the user. Tools declare them as their `context`. They aren't part of the prompt, so the
 * model can't choose the user.
 */
export const userContext = Type.Object({ user_id: Type.String({ minLength: 1 }) })

/** A request with the calls that serve it, in order. */
export interface DemoRequest {
  readonly request: string
  /** Empty for a request that no tool of the domain can serve. */
  readonly expected: readonly ExpectedCall[]
  /** Text that the answer must contain. */
  readonly answer?: string | undefined
  /** The user who makes the request. Default: `demo`. */
  readonly user?: string | undefined
}

export interface ExpectedCall {
  readonly tool: string
  /** Arguments to compare. Other arguments are ignored. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** True if the tool must refuse the call. */
  readonly fails?: boolean | undefined
}

/** Requests that run one after another, starting from a new state. */
export interface Scenario {
  readonly title: string
  readonly requests: readonly DemoRequest[]
}

export interface Domain {
  readonly name: string
  /** Instructions for the model. */
  readonly instructions: string
  /** Creates the tools, with new state. */
  createTools(settings: DomainSettings): readonly RegistryEntry[]
  /** Requests for the evaluation. The tour shows the first scenario. */
  readonly scenarios: readonly Scenario[]
}

/** A domain by name, imported when needed. */
export interface DomainEntry {
  readonly name: string
  readonly title: string
  /** Requests to suggest. The rules can serve each of them, with the tools of all domains and a new database. */
  readonly examples: readonly string[]
  load(): Promise<{ readonly default: Domain }>
}
