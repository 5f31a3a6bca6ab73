/** A validator's report of an invalid value, in the form of AJV's errors. */
export interface Failure {
  /** JSON pointer into the value. */
  readonly instancePath: string
  /** Path of the keyword through the schema, from `#`. */
  readonly schemaPath: string
  readonly keyword: string
  /** Params with AJV's names for the keyword: `{ limit: 5 }`, `{ missingProperty: 'city' }`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}
