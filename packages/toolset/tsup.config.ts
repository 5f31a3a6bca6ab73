import { cp } from 'node:fs/promises'
import { library } from '../../tsup.shared.ts'

/** Worker scripts, started by URL from the sources and from the build. They are plain JavaScript and not part of any bundle. */
const WORKERS = [
  'database/sqlite/sqlite-worker.js',
  'database/sqlite/sqlite-lock.js',
  'database/pglite/pglite-worker.js',
  'database/postgres-guard/postgres-parser-worker.js',
]

export default library({
  // The few typebox builders that the shipped toolsets use go into the bundle: importing all of typebox costs over 100 ms.
  noExternal: ['typebox', '@x/file-owner'],
  onSuccess: async () => {
    await Promise.all(WORKERS.map((worker) => cp(`src/${worker}`, `dist/${worker}`)))
  },
})
