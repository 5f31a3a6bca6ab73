/** Holds what the registry waits for to its deadline. */
import { LoadError } from './errors.ts'

const LONGEST_TIMER = 2 ** 31 - 1

/** Settles as the promise does, or rejects with `load_timeout`. `subject` begins the words: `Its loader`. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, subject: string, onTimeout?: () => void): Promise<T> {
  if (timeoutMs > LONGEST_TIMER) return promise
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onTimeout?.()
      reject(new LoadError('load_timeout', `${subject} did not settle within ${timeoutMs} ms.`))
    }, timeoutMs)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
