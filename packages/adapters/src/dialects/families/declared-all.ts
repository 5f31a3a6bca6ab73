/** Whether a call whose end is missing can lack nothing. */

/** True when each property that is declared was written: no further one was to come. False where nobody said which there are. */
export function hasAllDeclared(schema: Readonly<Record<string, unknown>> | undefined, keys: ReadonlySet<string>): boolean {
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null) return false
  const declared = Object.keys(properties)
  return declared.length > 0 && declared.every((key) => keys.has(key))
}
