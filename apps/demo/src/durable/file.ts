/** File-based runs: each run has a journal in one directory, which the processes of one machine share. */
import { createFileEngine } from '@x/durable'
import type { EngineOpener } from './engine.ts'

export const fileOpener: EngineOpener = {
  open: ({ folder, fn }) => createFileEngine({ folder, fn, lookEveryMs: 100 }),
  wayOut: 'Set X_RUNS to use another directory.',
}
