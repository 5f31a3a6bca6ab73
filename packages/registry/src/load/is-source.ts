/** Tells what has tools from what is one. */
import type { ToolSource } from '@x/tool-core'

export function isSource(value: unknown): value is ToolSource {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ToolSource>).tools === 'function'
}
