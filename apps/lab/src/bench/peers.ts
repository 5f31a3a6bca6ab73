/** The peers: a separate project next to the workspace, installed when a bench first needs it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PNPM = 'pnpm@12.21.0'

/** Installs the peers if needed. Rejects when that fails. The installer's output goes to stderr. */
export async function installPeers(folder: string, log: (line: string) => void): Promise<void> {
  const lockfile = readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8')
  const stamp = join(folder, 'node_modules/.installed')
  if (existsSync(peersNode(folder)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return
  log('Installing the peers and their Node: 500 MB, once')
  const code = await pnpmInstall(folder)
  if (code !== 0) throw new Error(`The peers could not be installed (exit code ${code}). Is there a network?`)
  writeFileSync(stamp, lockfile)
}

/** The Node that runs all subjects. Two of the peers need version 22 or newer, and all subjects must use the same one. */
export function peersNode(folder: string): string {
  return join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** Versions of packages: of the peers as installed, of others as the lab resolves them. */
export function versionsOf(packages: Iterable<string>, folders: readonly string[]): Record<string, string> {
  return Object.fromEntries([...new Set(packages)].map((name) => [name, versionOf(name, folders)]))
}

function versionOf(name: string, folders: readonly string[]): string {
  const file = folders.map((folder) => join(folder, 'node_modules', name, 'package.json')).find((path) => existsSync(path))
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** pnpm through npx, which comes with Node. Uses the npx beside the running Node if there is one. */
function pnpmInstall(folder: string): Promise<number> {
  const args = ['-y', PNPM, 'install', '--frozen-lockfile']
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  const isThere = existsSync(npx)
  return new Promise((settle) => {
    const child = spawn(isThere ? process.execPath : 'npx', isThere ? [npx, ...args] : args, {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32' && !isThere,
    })
    const stop = () => child.kill()
    process.on('exit', stop)
    const end = (code: number | null) => {
      process.off('exit', stop)
      settle(code ?? 1)
    }
    child.on('error', () => end(1))
    child.on('close', end)
  })
}
