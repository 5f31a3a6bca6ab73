/** Runs a server as long as the test that wants it: when that ends, however it ends, the server is told to stop and its folder is removed. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const [folder = '', program = '', uid = '', gid = '', ...args] = process.argv.slice(2)
const user = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) }
const server = spawn(program, args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
const stop = () => server.kill('SIGINT')
server.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})
// The test holds the other end.
process.stdin.on('end', stop).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
