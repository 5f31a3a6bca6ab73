/** JSON that is the same for the same value, whatever the order of its keys: what is compared, digested and signed. */
import { isRecord } from '../is-record.ts'

/** Keys are sorted by their UTF-16 units. `undefined` members are left out, as in JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isRecord(item) ? sorted(item) : item)) ?? 'null'
}

/** By `fromEntries`, which makes `__proto__` a key like any other. */
function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
