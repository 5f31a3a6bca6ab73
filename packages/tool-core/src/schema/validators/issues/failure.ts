/** A validator's report of an invalid value, in the form of AJV's errors. */
export interface Failure {
  /** JSON pointer into the value. */
  readonly instancePath: string
  /** Path to the keyword in the schema, starting with `#`. */
  readonly schemaPath: string
  readonly keyword: string
  /** The keyword's params, with the names that AJV uses: `{ limit: 5 }`, `{ missingProperty: 'city' }`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}
