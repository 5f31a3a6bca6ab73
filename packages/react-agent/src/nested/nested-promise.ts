/** The promise of a nested call. */

type Then = (this: object, onFulfilled?: unknown, onRejected?: unknown) => object
type Settle = (value?: unknown) => void

/** Hides the types of the base class, because their overloads are slow to check. */
const Base = Promise as unknown as new (executor: (resolve: Settle, reject: Settle) => void) => object
const { then } = Promise.prototype as unknown as { readonly then: Then }

/**
 * A promise that causes no `unhandledRejection`, because a program may never await a call. The same holds for promises derived from it with
 * `then`, `catch` and `finally`.
 */
class NestedPromise extends Base {
  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then(onFulfilled?: unknown, onRejected?: unknown): object {
    return handled(then.call(this, onFulfilled, onRejected))
  }
}

/** Calls `then` of the base class, because `then` of `NestedPromise` would derive promises endlessly. */
function handled(promise: object): object {
  then.call(promise, undefined, () => {})
  return promise
}

export interface OpenPromise {
  readonly promise: Promise<unknown>
  resolve(value?: unknown): void
  reject(error: unknown): void
}

export function openPromise(): OpenPromise {
  let settle: readonly Settle[] = []
  const promise = handled(
    new NestedPromise((resolve, reject) => {
      settle = [resolve, reject]
    }),
  )
  const [resolve, reject] = settle as [Settle, Settle]
  return { promise: promise as Promise<unknown>, resolve, reject }
}

/** Returns a promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {})
}
