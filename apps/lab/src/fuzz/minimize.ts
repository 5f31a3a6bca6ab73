/** Makes a text smaller while it still fails. */

/** Removes smaller and smaller parts, then replaces letters by `a` and digits by `1`. Calls `isFailing` at most `most` times. */
export function minimize(text: string, isFailing: (candidate: string) => boolean, most = 4000): string {
  let left = most
  const fails = (candidate: string) => left-- > 0 && isFailing(candidate)
  let smallest = text
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0; ) {
      const candidate = smallest.slice(0, at) + smallest.slice(at + size)
      if (fails(candidate)) smallest = candidate
      else at += size
    }
  }
  for (let at = 0; at < smallest.length && left > 0; at++) {
    const plain = plainUnit(smallest[at] as string)
    const candidate = smallest.slice(0, at) + plain + smallest.slice(at + 1)
    if (plain !== smallest[at] && fails(candidate)) smallest = candidate
  }
  return smallest.length < text.length ? minimizeAgain(smallest, isFailing, left) : smallest
}

/** Minimizes again, because removing one part may make it possible to remove others. */
function minimizeAgain(text: string, isFailing: (candidate: string) => boolean, left: number): string {
  return left > 0 ? minimize(text, isFailing, left) : text
}

function plainUnit(unit: string): string {
  if (/[b-zA-Z]/.test(unit)) return 'a'
  return /[2-9]/.test(unit) ? '1' : unit
}
