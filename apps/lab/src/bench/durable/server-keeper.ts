/** Runs a server for the bench. When the bench ends for any reason, this program stops the server and removes its directory. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const [folder = '', program = '', ...args] = process.argv.slice(2)
const MOST_OF_AN_END = 5000

// The server has its own process group, so Ctrl-C reaches only this process, which then shuts the server down.
const server = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
server.on('error', end)
server.on('exit', end)

process.stdin.resume()
process.stdin.on('end', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

function stop(): void {
  server.kill('SIGINT')
  setTimeout(() => server.kill('SIGKILL'), MOST_OF_AN_END).unref()
}

function end(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit()
}
