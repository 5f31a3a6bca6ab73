/** jsonriver: pulls the deltas, and yields one value that grows in place. */
import { parse } from 'jsonriver'

export async function read({ deltas }, show) {
  let latest
  async function* pulled() {
    for (const delta of deltas) {
      yield delta
      // The parser requests the next delta only after it has parsed this one, even if the value hasn't changed.
      show(latest)
    }
  }
  for await (const value of parse(pulled())) latest = value
  return latest
}
