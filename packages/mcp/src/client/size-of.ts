/** Estimates the length of a value as JSON without serializing it. Doesn't recurse, because a server sent the value. */
export function sizeOf(value: unknown): number {
  let size = 0
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    size += typeof one === 'string' ? one.length : 4
    if (typeof one !== 'object' || one === null) continue
    for (const key in one) {
      size += key.length
      left.push(one[key as never])
    }
  }
  return size
}
