/** Where a database is kept. */
import { resolve } from 'node:path'

export type DatabasePlace =
  /** A path, or `:memory:`. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** Everything is kept in one schema of the database that the URL names; a temporary one is dropped at the end. */
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string; readonly isTemporary: boolean }

export const IN_MEMORY = ':memory:'

/** In words for a user; of a URL not the password. */
export function describePlace(place: DatabasePlace): string {
  if (place.kind === 'sqlite') return place.file === IN_MEMORY ? 'in memory' : resolve(place.file)
  const { protocol, host, pathname } = new URL(place.url)
  return `${protocol}//${host}${pathname}, schema ${place.schema}`
}

/** Lost when it is closed. */
export function isKept(place: DatabasePlace): boolean {
  return place.kind === 'postgres' ? !place.isTemporary : place.file !== IN_MEMORY
}
