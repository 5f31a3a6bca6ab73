/** Runs before each test file. */
import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'

// Property tests generate the same cases in every run.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.X_SEED) })

// SQLite and PGlite are WebAssembly. Optimizing it takes longer than everything that the tests do with it.
setFlagsFromString('--liftoff-only')
