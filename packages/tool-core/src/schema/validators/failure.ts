/** What a validator says of a value that does not fit, in the form of AJV's errors. */
export interface Failure {
  /** JSON pointer into the value. */
  readonly instancePath: string
  /** Path of the keyword through the schema, from `#`. */
  readonly schemaPath: string
  readonly keyword: string
  /** The facts, by AJV's names for the keyword: `{ limit: 5 }`, `{ missingProperty: 'city' }`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}
