/** The place where a database is stored. */
import { resolve } from 'node:path'

export type DatabasePlace =
  /** A path, or `:memory:`. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** All tables are in one schema of the database. A temporary schema is dropped at the end. */
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string; readonly isTemporary: boolean }

export const IN_MEMORY = ':memory:'

/** Describes the place for a user, without the password of a URL. */
export function describePlace(place: DatabasePlace): string {
  if (place.kind === 'sqlite') return place.file === IN_MEMORY ? 'in memory' : resolve(place.file)
  const { protocol, host, pathname } = new URL(place.url)
  return `${protocol}//${host}${pathname}, schema ${place.schema}`
}

/** Returns false for a database that is lost when it is closed. */
export function isKept(place: DatabasePlace): boolean {
  return place.kind === 'postgres' ? !place.isTemporary : place.file !== IN_MEMORY
}
