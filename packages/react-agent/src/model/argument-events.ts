/** Tells of arguments while a call still streams: each value as soon as it is whole. */
import type { LMDelta } from '@x/adapters'
import { type ArgumentStream, argumentStream } from '@x/adapters/arguments'
import type { Emit } from '../events.ts'

/** For one response: takes its deltas in order, and tells of each with what became whole by it. */
export function deltaEvents(emit: Emit, step: number): (delta: LMDelta) => void | Promise<void> {
  const open = new Map<number, { readonly callId: string; readonly name: string; readonly stream: ArgumentStream }>()
  return (delta) => {
    const told = emit({ type: 'delta', step, delta })
    if (delta.type === 'call_start') open.set(delta.index, { callId: delta.id, name: delta.name, stream: argumentStream() })
    else if (delta.type === 'call_end') open.delete(delta.index)
    else if (delta.type === 'arguments') {
      const call = open.get(delta.index)
      if (call === undefined) return told
      const { callId, name, stream } = call
      for (const { pointer, value, isComplete } of stream.push(delta.text))
        if (isComplete && pointer !== '') emit({ type: 'argument', step, callId, name, pointer, value })
    }
    return told
  }
}
