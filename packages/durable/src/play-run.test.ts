import { expect, it } from 'vitest'
import { playRun } from './play-run.ts'

const next = async (make: () => Promise<string>) => await make()
const receive = () => new Promise<never>(() => {})

it.each(['never returns', 'makes something else of it'])(
  'a function that %s holds no place once its run was stopped',
  async (kind) => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const played = playRun(
      async (_: number, { steps, signal }) => {
        if (kind === 'never returns') return await steps.run('a', () => new Promise(() => {}))
        return await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new TypeError('something else')))
        })
      },
      1,
      { id: 'run', signal: controller.signal, next, receive },
    )
    setTimeout(() => controller.abort(reason), 5)
    await expect(played).rejects.toBe(reason)
  },
)
