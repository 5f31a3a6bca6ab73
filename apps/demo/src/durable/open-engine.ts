/** Opens the engine that the command line names. */
import { DurableError } from '@x/durable'
import type { EngineKind } from './engine-kinds.ts'
import type { EngineOpener, EngineSettings } from './engine-opener.ts'
import type { DemoEngine } from './run-data.ts'

/** Imported when it is needed. */
const OPENERS: Readonly<Record<EngineKind, () => Promise<EngineOpener>>> = {
  file: async () => (await import('./file.ts')).fileOpener,
  dbos: async () => (await import('./dbos.ts')).dbosOpener,
  restate: async () => (await import('./restate.ts')).restateOpener,
}

/** What to do when it cannot be reached. */
const WAYS_OUT: Readonly<Record<EngineKind, string>> = {
  file: 'X_RUNS names another folder.',
  dbos: 'Start PostgreSQL, and look whether DATABASE_URL is right; or use --durable file.',
  restate:
    'Start its server (npx @restatedev/restate-server), and look whether RESTATE_INGRESS_URL and RESTATE_ADMIN_URL are right; or use --durable file.',
}

export interface OpenEngine {
  readonly engine: DemoEngine
  /** That of the opener. */
  readonly settleMs: number
}

/** Rejects with `UsageError` for what is missing in the environment, and with `DurableError` when the engine cannot be used. */
export async function openEngine(kind: EngineKind, settings: EngineSettings): Promise<OpenEngine> {
  const { open, settleMs } = await OPENERS[kind]()
  try {
    return { engine: await open(settings), settleMs }
  } catch (cause) {
    if (!(cause instanceof DurableError) || !UNREACHABLE.has(cause.code)) throw cause
    throw new DurableError(cause.code, `${cause.message} ${WAYS_OUT[kind]}`, { cause })
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(['engine_failed', 'cannot_open'])
