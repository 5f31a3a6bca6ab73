/** The type of a tool description from a data set. */

/** A tool as a data set describes it. The name may be invalid, and the parameters may use any notation. */
export interface ToolDocument {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly category?: string | undefined
}
