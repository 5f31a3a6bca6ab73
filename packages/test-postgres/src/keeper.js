/** Runs a server while its test is running. When the test has ended, in whatever way, stops the server and deletes its folder. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [folder = '', program = '', uid = '', gid = '', ...args] = process.argv.slice(2)
const user = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) }
/** @type {import('node:child_process').ChildProcess | undefined} */
let server
let isEnding = false

/** Commands from the test, one per line. */
const orders = {
  start() {
    server = spawn(program, args, { ...user, cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    server.stderr?.on('data', (chunk) => {
      said += chunk
      process.stderr.write(chunk)
    })
    server.on('close', () => {
      server = undefined
      if (isEnding) end()
      // The test retries the folder on another port.
      else if (said.includes('Address already in use')) process.exit(1)
      else if (!said.includes('ready to accept connections')) end(1)
      else process.stderr.write('server is gone\n')
    })
  },
  fast: () => server?.kill('SIGINT'),
  immediate: () => server?.kill('SIGQUIT'),
  killed() {
    const head = server?.pid
    if (head === undefined) return
    // Each process of the server has its own process group.
    const children = readFileSync(`/proc/${head}/task/${head}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
    for (const pid of [head, ...children.map(Number)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has already ended.
      }
    }
  },
}

function end(code = 0) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit(code)
}

function stop() {
  isEnding = true
  if (server === undefined) end()
  else server.kill('SIGINT')
}

// The test holds the other ends of these pipes, and may be dead.
process.stderr.on('error', () => {})
const lines = createInterface({ input: process.stdin })
lines.on('line', (order) => orders[/** @type {keyof typeof orders} */ (order)]())
lines.on('close', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
