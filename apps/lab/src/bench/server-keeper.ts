/** The program that runs a server as long as the bench that wants it: when that ends, however it ends, the server is stopped and its folder is removed. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const [folder = '', program = '', ...args] = process.argv.slice(2)
const MOST_OF_AN_END = 5000

// In a group of its own: a key pressed at a terminal reaches only this process, which ends the server in order.
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
