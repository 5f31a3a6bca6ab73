/** Runs before each test file. */
import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'

// Property tests generate the same cases in every run, unless X_SEED sets another seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.X_SEED) })

// SQLite and PGlite are WebAssembly. Optimizing the code takes longer than running it unoptimized in the tests.
setFlagsFromString('--liftoff-only')
