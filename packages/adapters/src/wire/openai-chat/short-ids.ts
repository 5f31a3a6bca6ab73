/** Ids of other providers' calls, as long as an API takes them: the same short one for the same long one. */
import { shortHash } from '../../shaping/short-hash.ts'

export function shortIds(maxLength: number): (id: string) => string {
  return (id) => {
    if (id.length <= maxLength) return id
    // Two hashes from two starts: ids of one provider often differ in few places only.
    const mark = `_${shortHash(id)}${shortHash(`.${id}`)}`
    return id.slice(0, maxLength - mark.length) + mark
  }
}
