/** Computes a digest of JSON data that a client may have sent. */
import { digestOf, findFault, MAX_DEPTH } from '@x/tool-core'

/** Like `digestOf` of `@x/tool-core`, but returns undefined for data that is nested too deeply, which no tool accepts. */
export async function digestIfShallow(value: unknown): Promise<string | undefined> {
  return findFault(value, MAX_DEPTH) === undefined ? await digestOf(value) : undefined
}
