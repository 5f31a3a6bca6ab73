/** Whether a call whose end is missing can lack nothing. */
import { propertiesOf } from '../engine/declared-types.ts'

/** True when each property that is declared was written: no further one was to come. False where nobody said which there are. */
export function hasAllDeclared(schema: unknown, keys: ReadonlySet<string>): boolean {
  const declared = propertiesOf(schema, schema)
  return declared.length > 0 && declared.every((key) => keys.has(key))
}
