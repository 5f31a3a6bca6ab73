/** Types of `sandbox.js` for the caller's thread. Without this file, users who compile the sources would have to allow JavaScript. */
import type { SandboxOptions } from './protocol.ts'

export interface Sandbox {
  receive(results: readonly string[]): string
  close(): void
}

export function startProgram(
  code: string,
  options: SandboxOptions,
  onReady?: () => void,
): Promise<{ readonly sandbox?: Sandbox | undefined; readonly report: string }>
