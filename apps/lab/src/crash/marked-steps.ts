/** Adds a mark before and after every point at which a step could be interrupted. */
import type { Steps } from '@x/react-agent'
import type { Mark } from './world.ts'

export function markedSteps(steps: Steps, mark: Mark): Steps {
  return {
    run: async (key, execute) => {
      mark(`before ${key}`)
      const value = await steps.run(key, async () => {
        mark(`before the execution of ${key}`)
        const given = await execute()
        mark(`before the record of ${key}`)
        return given
      })
      mark(`after ${key}`)
      return value
    },
    wait: (key) => steps.wait(key),
  }
}
