/** What a domain of the demo is: tools, words for the model, and requests with the calls that serve them. */
import type { RegistryEntry } from '@x/registry'
import * as Type from 'typebox'
import type { Connect } from '../sql/database.ts'

/** Given to a domain when its tools are made. */
export interface DomainSettings {
  /** The one database of all domains; opened when a tool first asks for it. */
  readonly connect: Connect
}

/** Run-scoped values of every run of the demo: who asks. A tool declares it as its `context`; no model sees or names a user. */
export const userContext = Type.Object({ user_id: Type.String({ minLength: 1 }) })

/** A request with the calls that serve it, in their order. */
export interface DemoRequest {
  readonly request: string
  /** None for a request that no tool of the domain serves. */
  readonly expected: readonly ExpectedCall[]
  /** Words that the answer has to hold. */
  readonly answer?: string | undefined
  /** Who asks; `demo` unless told. */
  readonly user?: string | undefined
}

export interface ExpectedCall {
  readonly tool: string
  /** Arguments that matter; others may be there too. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** True when the tool has to refuse the call. */
  readonly fails?: boolean | undefined
}

/** Requests that are asked one after another on one new state. */
export interface Scenario {
  readonly title: string
  readonly requests: readonly DemoRequest[]
}

export interface Domain {
  readonly name: string
  /** Words for the model about the task. */
  readonly instructions: string
  /** New tools with a state of their own. */
  createTools(settings: DomainSettings): readonly RegistryEntry[]
  /** The first one is what the tour shows. */
  readonly scenarios: readonly Scenario[]
}

/** A domain by name, imported when it is asked for. */
export interface DomainEntry {
  readonly name: string
  readonly title: string
  load(): Promise<{ readonly default: Domain }>
}
