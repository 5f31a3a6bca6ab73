/** The promise of a nested call. */

/**
 * A promise that causes no `unhandledRejection`, and neither do those that `then`, `catch` and `finally` derive from it: a program may leave
 * a call and never await it.
 */
export class NestedPromise<T> extends Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<Next = T, Failed = never>(
    onFulfilled?: ((value: T) => Next | PromiseLike<Next>) | null,
    onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Next | Failed> {
    return handled(super.then(onFulfilled, onRejected))
  }
}

export interface OpenPromise {
  readonly promise: Promise<unknown>
  resolve(value: unknown): void
  reject(error: Error): void
}

export function openPromise(): OpenPromise {
  let settle: Omit<OpenPromise, 'promise'> | undefined
  const promise = handled(
    new NestedPromise<unknown>((resolve, reject) => {
      settle = { resolve, reject }
    }),
  )
  return { promise, ...(settle as Omit<OpenPromise, 'promise'>) }
}

/** By the method of the base class: that of `NestedPromise` would derive promises without end. */
function handled<T>(promise: Promise<T>): Promise<T> {
  Promise.prototype.then.call(promise, undefined, () => {})
  return promise
}
