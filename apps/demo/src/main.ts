/** Entry point of the program: runs the command line of this process and sets the exit code. */
import { reportFailure } from './failure.ts'
import { runProgram } from './program.ts'
import { BROKEN_PIPE, stopOnSignals } from './signals.ts'

// Tests set a longer grace period, because closing takes longer on a busy machine.
const stopping = stopOnSignals(process, Number(process.env.X_GRACE_MS) || undefined)

// An exit listener also runs when the program exits at once, after the grace period or a second signal.
process.once('exit', () => {
  const stopped = stopping.exitCode()
  if (stopped !== undefined && stopped !== BROKEN_PIPE) process.stderr.write('Stopped.\n')
})
const { code, isDurable } = await runProgram(process.argv.slice(2), {
  console: process,
  environment: process.env,
  signal: stopping.signal,
  report: (error) => stopping.exitCode() ?? reportFailure(error, process.stderr),
})
process.exitCode = stopping.exitCode() ?? code
// Everything is closed now, but DBOS keeps a ten-second timer for each waiting run. So the program exits explicitly.
if (isDurable) process.stdout.write('', () => process.exit())
