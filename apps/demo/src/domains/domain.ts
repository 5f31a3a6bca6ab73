/** What a domain of the demo is: tools, words for the model, and requests to show. */
import type { RegistryEntry } from '@x/registry'

/** Given to a domain when its tools are made. */
export interface DomainSettings {
  /** Where a domain with a database keeps it: a path, or `:memory:`. */
  readonly database: string
  /** Told when the database is opened, with the place where it is kept. */
  readonly onDatabaseOpen?: ((database: string) => void) | undefined
}

/** A request with the calls that serve it, in their order. */
export interface DemoRequest {
  readonly request: string
  readonly expected: readonly ExpectedCall[]
  /** Words that the answer has to hold. */
  readonly answer?: string | undefined
}

export interface ExpectedCall {
  readonly tool: string
  /** Arguments that matter; others may be there too. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** True when the tool has to refuse the call. */
  readonly fails?: boolean | undefined
}

export interface Domain {
  readonly name: string
  /** Words for the model about the task. */
  readonly instructions: string
  /** New tools with a state of their own. A source among them is opened and closed by whoever asked for it. */
  createTools(settings: DomainSettings): readonly RegistryEntry[]
  /** Asked one after another on the same state. */
  readonly requests: readonly DemoRequest[]
}
