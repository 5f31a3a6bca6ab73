/** Places in the interpreting validator. The path of a place is built only for a failure that is read. */
import { pointerSegment } from '../../pointer.ts'
import type { Failure } from '../issues/failure.ts'

type Key = string | number

/** A place in a value or in a schema. In a schema, it may be one or two keys below its parent place. */
export class Place {
  readonly #outer: Place | undefined
  readonly #key: Key
  readonly #next: Key | undefined
  #inner: Map<Key, Place> | undefined = undefined

  constructor(outer?: Place, key: Key = '', next?: Key) {
    this.#outer = outer
    this.#key = key
    this.#next = next
  }

  /** Returns the place of a member. The result is always the same object for the same key. */
  at(key: Key): Place {
    this.#inner ??= new Map()
    const known = this.#inner.get(key)
    if (known !== undefined) return known
    const place = new Place(this, key)
    this.#inner.set(key, place)
    return place
  }

  get path(): string {
    const segments: string[] = []
    let place: Place = this
    for (; place.#outer !== undefined; place = place.#outer) {
      if (place.#next !== undefined) segments.push(`/${pointerSegment(String(place.#next))}`)
      segments.push(`/${pointerSegment(String(place.#key))}`)
    }
    return segments.reverse().join('')
  }
}

/** Where a schema applies to a value. */
export interface At {
  readonly data: Place
  readonly schema: Place
}

/** Returns the place of the same value one keyword further down the schema, and optionally at one of the keyword's keys. */
export function below({ data, schema }: At, keyword: string, key?: Key): At {
  return { data, schema: new Place(schema, keyword, key) }
}

export class PlacedFailure implements Failure {
  readonly at: At
  readonly keyword: string
  readonly params: Failure['params']
  readonly message: string | undefined
  #instancePath: string | undefined = undefined
  #schemaPath: string | undefined = undefined

  constructor(at: At, keyword: string, params: Failure['params'], message?: string) {
    this.at = at
    this.keyword = keyword
    this.params = params
    this.message = message
  }

  get instancePath(): string {
    this.#instancePath ??= this.at.data.path
    return this.#instancePath
  }

  get schemaPath(): string {
    this.#schemaPath ??= `#${this.at.schema.path}/${this.keyword}`
    return this.#schemaPath
  }
}
