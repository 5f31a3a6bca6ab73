/** A tool whose calls never end. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { vi } from 'vitest'

/** `started` resolves at the next call of the tool `hangs`. `aborted` is called when the signal of a call aborts. */
export function hangingTool() {
  const aborted = vi.fn()
  let onStart: () => void = () => {}
  const tool = defineTool({
    name: 'hangs',
    description: 'Waits.',
    args: Type.Object({}),
    execute: (_, { signal }) => {
      signal.addEventListener('abort', aborted)
      onStart()
      return new Promise<never>(() => {})
    },
  })
  const started = () =>
    new Promise<void>((resolve) => {
      onStart = resolve
    })
  return { tool, aborted, started }
}
