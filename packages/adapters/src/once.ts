/** Caches the results of a function by the identity of its argument. */

/** Wraps a function so that it is called once for each key, such as a shaped tool. Results are frozen, because later requests share them. */
export function once<Key extends object, Value>(convert: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = Object.freeze(convert(key))
      known.set(key, value)
    }
    return value
  }
}
