/** Imports the Restate SDK, which needs `Promise.withResolvers`. Node 20 lacks that function. */
import { DurableError } from '../errors.ts'

export type RestateSdk = typeof import('@restatedev/restate-sdk')

/** Imports the SDK. Rejects with `missing_package`. */
export async function loadSdk(): Promise<RestateSdk> {
  addWithResolvers()
  try {
    return await import('@restatedev/restate-sdk')
  } catch (cause) {
    throw new DurableError(
      'missing_package',
      'A worker of createRestateEngine needs the package @restatedev/restate-sdk, which could not be imported. Install it: npm install @restatedev/restate-sdk',
      { cause },
    )
  }
}

/** Adds `Promise.withResolvers` to Node 20. Later versions have it. */
function addWithResolvers(): void {
  const owner = Promise as { withResolvers?: unknown }
  owner.withResolvers ??= function withResolvers(this: PromiseConstructor) {
    let resolve: ((value: unknown) => void) | undefined
    let reject: ((cause: unknown) => void) | undefined
    const promise = new this((first, second) => {
      resolve = first
      reject = second
    })
    return { promise, resolve, reject }
  }
}
