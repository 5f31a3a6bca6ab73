/** Places in a value and in its schema. The path of a place is built only when the path of a failure there is read. */
import { pointerSegment } from '../../pointer.ts'
import type { Failure } from '../issues/failure.ts'

type Key = string | number

/** A place in a value or in a schema. In a schema, a place may be one or two keys below its parent. */
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

  /** Returns the place of a member. The same key always gives the same object. */
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

/** The place of a value, and the place of the schema that applies to the value. */
export interface At {
  readonly data: Place
  readonly schema: Place
}

/** Returns the place of the same value, and of the schema at `keyword`. With `key`, the schema is the one at that key below the keyword. */
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
