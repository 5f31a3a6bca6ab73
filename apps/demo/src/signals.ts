/** Handles signals such as Ctrl-C: stops the work, closes everything and exits within a second. */

/** The parts of Node's `process` that this module uses. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
  exit(code: number): void
  readonly stdout: { on(event: 'error', listener: (error: Error) => void): unknown }
}

export interface Stopping {
  readonly signal: AbortSignal
  /** Returns the exit code after a signal: 128 plus the number of the signal, as in shells. Returns undefined if there was no signal. */
  exitCode(): number | undefined
}

export const GRACE_MS = 800
const SIGNALS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const
/** Exit code if the reader of the output has closed the pipe. */
export const BROKEN_PIPE = 141

/**
 * Handles signals. The first signal aborts the work. A second one, or the end of the grace period, exits immediately. A closed pipe also
 * ends the program.
 */
export function stopOnSignals(source: SignalSource, graceMs = GRACE_MS): Stopping {
  const controller = new AbortController()
  let code: number | undefined
  const stop = (exitCode: number) => {
    code = exitCode
    controller.abort(new Error('The program received a signal to stop.'))
    setTimeout(() => source.exit(exitCode), graceMs).unref()
  }
  for (const [name, exitCode] of SIGNALS) source.on(name, () => (code === undefined ? stop(exitCode) : source.exit(code)))
  source.stdout.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error
    if (code === undefined) stop(BROKEN_PIPE)
  })
  return { signal: controller.signal, exitCode: () => code }
}
