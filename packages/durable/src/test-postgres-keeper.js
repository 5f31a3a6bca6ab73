/** Runs a server as long as the test that wants it: when that ends, however it ends, the server is stopped and its folder is removed. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [folder = '', program = '', uid = '', gid = '', ...args] = process.argv.slice(2)
const user = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) }
/** @type {import('node:child_process').ChildProcess | undefined} */
let server
let isEnding = false

function start() {
  server = spawn(program, args, { ...user, cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  server.on('exit', () => {
    server = undefined
    if (isEnding) end()
    else process.stderr.write('server is gone\n')
  })
}

/** With the processes that the server started: each has a process group of its own, and none is told. */
function kill() {
  const head = server?.pid
  if (head === undefined) return
  const children = readFileSync(`/proc/${head}/task/${head}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  for (const pid of [head, ...children.map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}

function end() {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

function stop() {
  isEnding = true
  if (server === undefined) end()
  else server.kill('SIGINT')
}

// The test holds the other end.
const orders = createInterface({ input: process.stdin })
orders.on('line', (order) => (order === 'start' ? start() : kill()))
orders.on('close', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
