/** Runs the official MCP conformance suite on Node 22, which it requires, and reads its findings. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeOf } from '@x/test-node'

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]
export type Side = 'server' | 'client'

/** For each scenario, the checks that didn't succeed, as `check-id: STATUS`. */
export type Findings = Readonly<Record<string, readonly string[]>>

export interface Suite {
  /** Scenarios that the revision requires of this side, and those that the suite only reports. */
  readonly scenarios: readonly string[]
  readonly findings: Findings
  /** Number of checks that succeeded. */
  readonly passed: number
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

/**
 * Number of clients that run at the same time. The suite itself would start all of them at once, and they would time out on a slow
 * machine.
 */
const AT_ONCE = 2

/** Runs every scenario of a revision against a server. */
export async function runServerSuite(url: string, revision: Revision): Promise<Suite> {
  const scenarios = await listScenarios(revision, 'server')
  return inFolder(async (folder) => {
    await conformance(['server', '--url', url, '--requirements', revision, '-o', folder])
    const folders = readdirSync(folder)
    return toSuite(scenarios, (scenario) => {
      const found = folders.find((name) => name.startsWith(`server-${scenario}-2`))
      return found === undefined ? undefined : readChecks(join(folder, found))
    })
  })
}

/**
 * Runs the scenarios of a revision against a client program. The program receives the URL of a server as its last argument.
 * @param step Runs only every `step`-th scenario. Default: 1.
 */
export async function runClientSuite(program: string, revision: Revision, step = 1): Promise<Suite> {
  const scenarios = (await listScenarios(revision, 'client')).filter((_, place) => place % step === 0)
  return inFolder(async (folder) => {
    const waiting = [...scenarios.entries()]
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, scenario] = next
        const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)}`
        const args = ['--command', command, '--scenario', scenario, '--spec-version', revision, '--force', '--timeout', '60000']
        await conformance(['client', ...args, '-o', join(folder, String(place))], join(folder, 'compiled'))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return toSuite(scenarios, (scenario) => readChecks(join(folder, String(scenarios.indexOf(scenario)))))
  })
}

/** Collects the checks. A check may run several times in a scenario. A scenario without checks is listed with `no result`. */
function toSuite(scenarios: readonly string[], checksOf: (scenario: string) => readonly Check[] | undefined): Suite {
  const findings: Record<string, string[]> = {}
  let passed = 0
  for (const scenario of scenarios) {
    const checks = checksOf(scenario)
    const found = new Set<string>(checks === undefined || checks.length === 0 ? ['no result'] : [])
    for (const { id, status } of checks ?? []) {
      if (status === 'SUCCESS') passed++
      else if (status !== 'INFO') found.add(`${id}: ${status}`)
    }
    if (found.size > 0) findings[scenario] = [...found]
  }
  return { scenarios, findings, passed }
}

function readChecks(folder: string): readonly Check[] | undefined {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('checks.json'))
  return file === undefined ? undefined : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[])
}

/** Parses the suite's list of scenarios: `- id` under the title of a side, and `- id [side]` for scenarios that aren't scored. */
async function listScenarios(revision: Revision, side: Side): Promise<readonly string[]> {
  const text = await conformance(['list', '--requirements', revision])
  const [, scored = ''] = new RegExp(`^${side} scenarios [^\n]*:\n((?: +- .*\n?)+)`, 'im').exec(text) ?? []
  const names = [...scored.matchAll(/^ +- (\S+)/gm), ...text.matchAll(new RegExp(`^ +- (\\S+) \\[${side}\\]`, 'gm'))]
  if (names.length === 0) throw new Error(`The suite lists no ${side} scenarios for ${revision}: ${text}`)
  return names.map(([, name]) => name as string)
}

/**
 * Runs the suite and resolves to its output. Ignores the exit code, which is 1 if a scenario fails.
 * @param cache A directory for compiled code, so that the suite compiles its own code only once.
 */
function conformance(args: readonly string[], cache?: string): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
  const child = spawn(nodeOf(22), [join(dirname(manifest), 'dist/index.js'), ...args], {
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
