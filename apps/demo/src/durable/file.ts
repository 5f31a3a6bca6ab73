/** File-based runs: a journal for each in a directory, for the processes of one machine. */
import { createFileEngine } from '@x/durable'
import type { EngineOpener } from './engine.ts'

export const fileOpener: EngineOpener = {
  open: ({ folder, fn }) => createFileEngine({ folder, fn, lookEveryMs: 100 }),
  wayOut: 'Set X_RUNS to use another directory.',
}
